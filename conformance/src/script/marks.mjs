// A mark stands between two pieces of a scripted answer and says what the stand-in does there instead of sending.

/** Close the connection without another byte. */
export const cut = () => ({ mark: 'cut' });

/** End the response in an orderly way, too early. */
export const finish = () => ({ mark: 'finish' });

/** Send nothing more and keep the connection open until the client goes away. */
export const hold = () => ({ mark: 'hold' });

/** Go on only when a step of the scenario opens the gate with this name. */
export const gate = (name) => ({ mark: 'gate', name });

/** Send one event of the API's own making, such as a ping or an error in mid-stream. */
export const rawEvent = (event) => ({ mark: 'event', event });

export const isMark = (item) => typeof item === 'object' && item !== null && 'mark' in item;
