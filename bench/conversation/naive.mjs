// The reducer that one writes first: an array of parts, copied at each event. Only what the made-up runs hold.

export const createNaive = () => ({ parts: [] });

export function reduceNaive(state, event) {
  switch (event.type) {
    case 'text-start':
    case 'reasoning-start':
      return { ...state, parts: [...state.parts, { id: event.blockId, type: 'text', text: '' }] };
    case 'text-delta':
    case 'reasoning-delta':
      return change(state, event.blockId, (part) => ({ ...part, text: part.text + event.delta }));
    case 'text-end':
    case 'reasoning-end':
      return change(state, event.blockId, (part) => ({ ...part, text: event.text }));
    case 'tool-call-start':
      return { ...state, parts: [...state.parts, { id: event.toolCallId, type: 'call', status: 'running' }] };
    case 'tool-call-input-delta':
      return change(state, event.toolCallId, (part) => ({ ...part, inputText: (part.inputText ?? '') + event.delta }));
    case 'tool-call-input-end':
      return change(state, event.toolCallId, (part) => ({ ...part, input: event.input }));
    case 'tool-call-end':
      return change(state, event.toolCallId, (part) => ({ ...part, status: 'completed', content: event.content }));
    case 'user-message':
      return { ...state, parts: [...state.parts, { id: event.messageId, type: 'prompt', content: event.content }] };
    case 'turn-end':
      return { ...state, parts: [...state.parts, { id: event.turnId, type: 'turn', outcome: event.outcome }] };
    default:
      return state;
  }
}

/** What is looked for is mostly near the end. */
function change(state, id, next) {
  const at = state.parts.findLastIndex((part) => part.id === id);
  const parts = [...state.parts];
  parts[at] = next(parts[at]);
  return { ...state, parts };
}
