import { type Agent, defineAgent, type EventWriter, type Json, type ToolKind, type Translator } from '../src/index.ts';

const KINDS: ReadonlyMap<Json, ToolKind> = new Map([
  ['shell', 'execute'],
  ['open', 'read'],
]);

export const brook: Agent = defineAgent({
  name: 'brook',
  detect: (messages) => (messages.some((message) => textOf(fieldsOf(message)['run']) !== '') ? 0.9 : 0),
  createTranslator,
});

function createTranslator(): Translator {
  const calls = new Map<string, string>();
  const ids = new Set<string>();
  let turns = 0;
  let turnId: string | undefined;

  /** The agent's id; one of ours where it has none, or has used it before. Never from a clock or by chance. */
  function newId(told: Json): string {
    let id = textOf(told);
    for (let n = 1; id === '' || ids.has(id); n++) id = `${textOf(told)}#${n}`;
    ids.add(id);
    return id;
  }

  function begin(out: EventWriter, model?: string): void {
    if (!out.started) out.write({ type: 'session-start', agent: 'brook', model });
    if (turnId !== undefined) return;
    turnId = `turn-${++turns}`;
    out.write({ type: 'turn-start', turnId });
  }

  function endTurn(out: EventWriter, outcome: 'success' | 'error' | 'cancelled' | 'unknown', synthetic?: true): void {
    for (const [toolCallId, toolName] of calls)
      out.write({ type: 'tool-call-end', toolCallId, toolName, outcome: 'unknown', content: [], synthetic: true });
    calls.clear();
    if (turnId !== undefined) out.write({ type: 'turn-end', turnId, outcome, synthetic });
    turnId = undefined;
  }

  return {
    translate(message, out) {
      const { event, run, model, id, text, tool, input, ok } = fieldsOf(message);
      if (textOf(run) !== '') out.sessionId = textOf(run);
      begin(out, textOf(model) || undefined);
      if (event === 'hello') return;
      if (event === 'say') {
        const messageId = newId(id);
        const blockId = `${messageId}:0`;
        out.write({ type: 'message-start', messageId });
        out.write({ type: 'text-start', messageId, blockId });
        out.write({ type: 'text-end', messageId, blockId, text: textOf(text) });
        out.write({ type: 'message-end', messageId });
      } else if (event === 'call') {
        const toolCallId = newId(id);
        const toolName = textOf(tool);
        calls.set(toolCallId, toolName);
        out.write({ type: 'tool-call-start', toolCallId, toolName, kind: KINDS.get(tool) ?? 'other' });
        out.write({ type: 'tool-call-input-end', toolCallId, input });
      } else if (event === 'output' && calls.has(textOf(id))) {
        const toolCallId = textOf(id);
        const toolName = calls.get(toolCallId) ?? '';
        calls.delete(toolCallId);
        const content = [{ type: 'text', text: textOf(text) }] as const;
        out.write({ type: 'tool-call-end', toolCallId, toolName, outcome: ok === true ? 'success' : 'error', content });
      } else if (event === 'done') endTurn(out, ok === true ? 'success' : 'error');
      else out.write({ type: 'raw', reason: 'unknown_type', value: message, nativeType: textOf(event) });
    },
    end(exit, out) {
      const outcome = exit.signal ? 'cancelled' : turnId === undefined ? 'success' : 'unknown';
      endTurn(out, outcome, true);
      out.write({ type: 'session-end', outcome, exitCode: exit.code ?? undefined, signal: exit.signal ?? undefined });
    },
  };
}

// Whatever comes, these give something to go on with: input is never trusted.
const textOf = (value: Json): string => (typeof value === 'string' ? value : '');
const fieldsOf = (value: Json): Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, Json>) : {};
