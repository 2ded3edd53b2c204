import { type Agent, defineAgent, type Json, Narrator, type Outcome, readExit, type Translator } from '../src/index.ts';

export const brook: Agent = defineAgent({
  name: 'brook',
  title: 'Brook',
  shows: ['running_calls'],
  detect: (messages) => (messages.some((message) => textOf(fieldsOf(message)['run']) !== '') ? 0.9 : 0),
  createTranslator,
  command: ({ prompt }) => ({ program: 'brook', args: ['--json', '--', prompt], signals: 'process' }),
  readExit,
});

function createTranslator(): Translator {
  const narrator = new Narrator({ agent: 'brook' });

  return {
    translate(message, out) {
      const { event, run, id, text, tool, input, ok } = fieldsOf(message);
      if (event === 'hello') out.sessionId = textOf(run);
      narrator.begin(out);
      switch (event) {
        case 'hello':
          return narrator.startTurn();
        case 'say':
          narrator.startMessage({ id: idOf(id) });
          narrator.endBlock('text', textOf(text));
          return narrator.endMessage();
        case 'call':
          narrator.startCall({ id: idOf(id), name: textOf(tool), traits: { kind: kindOf(tool) } });
          return narrator.endInput(id, input);
        case 'output': {
          const content = [{ type: 'text', text: textOf(text) }] as const;
          // A result whose call nobody knows is shown as it came.
          if (!narrator.endCall(id, { outcome: outcomeOf(ok), content })) narrator.keep(message, 'output');
          return;
        }
        case 'done':
          return narrator.endTurn({ outcome: outcomeOf(ok) });
        default:
          narrator.keepUnknown(message, textOf(event));
      }
    },
    end: (exit, out) => narrator.end(exit, out),
  };
}

// Whatever comes, these give something to go on with: no field is trusted to be what it should be.
/** Without an id of its own, the narrator makes one. */
const idOf = (value: Json): string | undefined => textOf(value) || undefined;
const textOf = (value: Json): string => (typeof value === 'string' ? value : '');
const kindOf = (tool: Json): 'execute' | 'other' => (tool === 'shell' ? 'execute' : 'other');
const outcomeOf = (ok: Json): Outcome => (ok === true ? 'success' : ok === false ? 'error' : 'unknown');
const fieldsOf = (value: Json): Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, Json>) : {};
