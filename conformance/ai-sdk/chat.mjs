// A chat as `useChat` holds it, without React: the AI SDK's own class, over a state that is plain fields.
import { AbstractChat } from 'ai';

export class PlainChat extends AbstractChat {
  constructor(transport) {
    const state = {
      status: 'ready',
      error: undefined,
      messages: [],
      pushMessage: (message) => void state.messages.push(message),
      popMessage: () => void state.messages.pop(),
      replaceMessage: (at, message) => void state.messages.splice(at, 1, message),
      snapshot: (value) => value,
    };
    super({ transport, state });
  }
}
