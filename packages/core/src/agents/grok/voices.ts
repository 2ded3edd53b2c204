// Whose words they are. What sub-agents say and do is printed among the main agent's lines, in both formats, and no line tells whose it
// is. But an agent that waits for the result of a call says nothing, and one that answered without a call is done. Mostly that leaves one
// who can have spoken; where it leaves more, as with sub-agents side by side, the first of them is taken.

export interface Voice {
  /** The call that started the sub-agent; the main agent has none. */
  readonly taskId: string | undefined;
  readonly waitsFor: Set<string>;
  isDone: boolean;
}

export interface Voices {
  /** The main agent first. */
  readonly all: Voice[];
  /** Who asked for a call that is open. */
  readonly callers: Map<string, Voice>;
  /** Sub-agents in the background: the call that started each, by the name it goes by. */
  readonly sentOff: Map<string, string>;
  current: Voice;
  isSpeaking: boolean;
}

const createVoice = (taskId?: string): Voice => ({ taskId, waitsFor: new Set(), isDone: false });

export function createVoices(): Voices {
  const main = createVoice();
  return { all: [main], callers: new Map(), sentOff: new Map(), current: main, isSpeaking: false };
}

/** Words: of the answer that is being given, or of a new one. */
export function speak(voices: Voices): Voice {
  if (!voices.isSpeaking) voices.current = nextOf(voices);
  voices.isSpeaking = true;
  return voices.current;
}

function nextOf({ all, current }: Voices): Voice {
  const [main = current] = all;
  const free = all.find((voice) => !voice.isDone && voice.waitsFor.size === 0);
  // When all are done, somebody has woken the main agent.
  return free ?? (main.waitsFor.size === 0 ? main : (all.at(-1) ?? main));
}

/** The answer is whole. Whoever gave it is done, unless calls follow. */
export function endAnswer(voices: Voices): void {
  voices.current.isDone = true;
  voices.isSpeaking = false;
}

export function startCall(voices: Voices, callId: string): Voice {
  const { current } = voices;
  voices.isSpeaking = false;
  current.isDone = false;
  current.waitsFor.add(callId);
  voices.callers.set(callId, current);
  return current;
}

export function callerOf({ callers }: Voices, callId: unknown): Voice | undefined {
  return typeof callId === 'string' ? callers.get(callId) : undefined;
}

export function endCall(voices: Voices, callId: string): void {
  callerOf(voices, callId)?.waitsFor.delete(callId);
  voices.callers.delete(callId);
}

/** More than anybody starts; beyond it, who speaks is not looked for. */
const MOST_VOICES = 50;

export function addVoice({ all }: Voices, taskId: string): void {
  if (all.length < MOST_VOICES) all.push(createVoice(taskId));
}

export function removeVoice(voices: Voices, taskId: string): void {
  const index = voices.all.findIndex((voice) => voice.taskId === taskId);
  if (index <= 0) return;
  const [gone] = voices.all.splice(index, 1);
  if (voices.current !== gone) return;
  voices.current = voices.all[0] ?? voices.current;
  voices.isSpeaking = false;
}
