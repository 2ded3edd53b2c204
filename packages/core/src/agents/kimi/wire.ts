// What Kimi Code prints with `-p … --output-format stream-json`: chat messages, and a few lines about the run. Nothing else is told:
// no times, no tokens, no word on whether a call succeeded.

/** The lines about the run. */
type MetaType = 'system.version' | 'session.resume_hint' | 'turn.step.retrying';

export interface KimiLine {
  role: 'assistant' | 'tool' | 'meta';
  /** A text. Of a tool that gave images it is JSON: a list of parts. */
  content: string;
  tool_calls: KimiCall[];
  tool_call_id: string;
  /** Of `meta`; `goal.summary` has no role. */
  type: MetaType | 'goal.summary';
  version: string;
  session_id: string;
  command: string;
  /** Of `turn.step.retrying`. */
  failed_attempt: number;
  max_attempts: number;
  delay_ms: number;
  error_name: string;
  error_message: string;
  status_code: number;
  /** Of `goal.summary`; any may be null. */
  goalId: string;
  status: 'active' | 'complete' | 'blocked' | 'paused';
  reason: string;
}

export interface KimiCall {
  type: 'function';
  id: string;
  /** `arguments` is JSON in a string. */
  function: { name: string; arguments: string };
}

/** A part of a result that is not only text. */
export interface KimiPart {
  type: 'text' | 'image_url' | 'video_url' | 'audio_url';
  text: string;
  imageUrl: { url: string };
  audioUrl: { url: string };
}
