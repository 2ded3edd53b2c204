// What a person is told when something goes wrong.

/** A mistake in how the command was called; exit code 2. */
export class UsageError extends Error {
  readonly isUsageError = true;
}

/** The sentence and the exit code for whatever was thrown by a command; without a name it is the first page of help that is named. */
export function explain(error: unknown, command?: string): { readonly message: string; readonly code: number } {
  if (!(error instanceof Error)) return { message: String(error), code: 1 };
  if ('isUsageError' in error) return { message: error.message, code: 2 };
  const { code, path } = error as NodeJS.ErrnoException;
  if (code !== undefined && REFUSED.has(code)) return { message: error.message, code: 2 };
  if (code?.startsWith('ERR_PARSE_ARGS'))
    return { message: `${optionText(error.message)}. See tailrace ${command ? `${command} ` : ''}--help.`, code: 2 };
  switch (code) {
    case 'ENOENT':
      return { message: `there is no file ${path}`, code: 1 };
    case 'EACCES':
      return { message: `${path} may not be read`, code: 1 };
    case 'EISDIR':
      return { message: `${path ?? 'that'} is a folder, not a file`, code: 1 };
    case 'ENOSPC':
      return { message: 'there is no space left to write to', code: 1 };
    case 'Z_BUF_ERROR':
      return { message: 'the compressed input ends in the middle; what came before it was read', code: 1 };
    case 'Z_DATA_ERROR':
      return { message: `the compressed input is damaged (${error.message}); what came before it was read`, code: 1 };
    default:
      return { message: error.message, code: 1 };
  }
}

/** What the runner says of a start that was asked for in a wrong way. */
const REFUSED: ReadonlySet<string> = new Set([
  'value-refused',
  'not-understood',
  'not-trusted',
  'no-folder',
  'argument-refused',
]);

/** What is wrong with the words, without Node's advice, which is meant for other commands. */
function optionText(message: string): string {
  const [, ...quoted] = (message.split(/\. To specify|\.\n|\. This command/)[0] ?? '').split("'");
  const name = quoted.slice(0, -1).join("'").replace(' <value>', '');
  if (message.startsWith('Unknown option')) return `there is no option ${name}`;
  if (message.startsWith('Unexpected argument')) return `"${name}" is one word too many`;
  if (message.includes('does not take an argument')) return `${name} takes no value`;
  if (message.includes('argument missing')) return `${name} wants a value behind it`;
  if (message.includes('is ambiguous'))
    return `${name} wants a value; one that begins with a dash is said as ${name}=-…`;
  return message.endsWith('.') ? message.slice(0, -1) : message;
}

/** The sentence of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
