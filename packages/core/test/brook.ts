import { type Agent, defineAgent, type EventWriter, type Json, type Outcome, type Translator } from '../src/index.ts';

export const brook: Agent = defineAgent({
  name: 'brook',
  detect: (messages) => (messages.some((message) => textOf(fieldsOf(message)['run']) !== '') ? 0.9 : 0),
  createTranslator,
});

function createTranslator(): Translator {
  const ids = new Set<string>();
  const calls = new Map<string, string>();
  let turnId: string | undefined;
  let outcome: Outcome = 'unknown';

  /** The agent's own id, or one made from it where it is missing or was used before: the same on every replay. */
  function newId(told: string): string {
    let id = told;
    for (let n = 2; id === '' || ids.has(id); n++) id = `${told}#${n}`;
    ids.add(id);
    return id;
  }

  function beginTurn(out: EventWriter): void {
    if (turnId !== undefined) return;
    turnId = newId('turn');
    out.write({ type: 'turn-start', turnId });
  }

  function endTurn(out: EventWriter, synthetic?: true): void {
    for (const [toolCallId, toolName] of calls)
      out.write({ type: 'tool-call-end', toolCallId, toolName, outcome: 'unknown', content: [], synthetic: true });
    calls.clear();
    if (turnId !== undefined) out.write({ type: 'turn-end', turnId, outcome, synthetic });
    turnId = undefined;
  }

  return {
    translate(message, out) {
      const { event, run, id, text, tool, input, ok } = fieldsOf(message);
      if (event === 'hello') out.sessionId = textOf(run);
      if (!out.started) out.write({ type: 'session-start', agent: 'brook' });
      switch (event) {
        case 'hello':
          return beginTurn(out);
        case 'say': {
          beginTurn(out);
          const messageId = newId(textOf(id));
          const blockId = `${messageId}:0`;
          out.write({ type: 'message-start', messageId });
          out.write({ type: 'text-start', messageId, blockId });
          out.write({ type: 'text-end', messageId, blockId, text: textOf(text) });
          return out.write({ type: 'message-end', messageId });
        }
        case 'call': {
          beginTurn(out);
          const toolCallId = newId(textOf(id));
          const toolName = textOf(tool);
          calls.set(toolCallId, toolName);
          out.write({ type: 'tool-call-start', toolCallId, toolName, kind: tool === 'shell' ? 'execute' : 'other' });
          return out.write({ type: 'tool-call-input-end', toolCallId, input });
        }
        case 'output': {
          const toolCallId = textOf(id);
          const toolName = calls.get(toolCallId);
          if (toolName === undefined) return out.write({ type: 'raw', reason: 'no_counterpart', value: message });
          calls.delete(toolCallId);
          const content = [{ type: 'text', text: textOf(text) }] as const;
          return out.write({ type: 'tool-call-end', toolCallId, toolName, outcome: outcomeOf(ok), content });
        }
        case 'done':
          outcome = outcomeOf(ok);
          return endTurn(out);
        default:
          out.write({ type: 'raw', reason: 'unknown_type', value: message, nativeType: textOf(event) });
      }
    },
    end(exit, out) {
      if (exit.signal) outcome = 'cancelled';
      else if (turnId !== undefined) outcome = 'unknown';
      endTurn(out, true);
      out.write({ type: 'session-end', outcome, exitCode: exit.code ?? undefined, signal: exit.signal ?? undefined });
    },
  };
}

// Whatever comes, these give something to go on with: no field is trusted to be what it should be.
const textOf = (value: Json): string => (typeof value === 'string' ? value : '');
const outcomeOf = (ok: Json): Outcome => (ok === true ? 'success' : ok === false ? 'error' : 'unknown');
const fieldsOf = (value: Json): Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, Json>) : {};
