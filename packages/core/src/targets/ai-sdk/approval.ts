// Whether a call may be run: asked once its input is there, answered once, and settled when the call is over. The reader knows an
// answer only by the id of the question, and a refused call only with an answer that refuses it.

import type { PermissionOption } from '../../event/event.ts';
import { asText } from '../../event/json.ts';
import type { Send, UIMessageChunk } from './chunk.ts';
import { told } from './told.ts';

interface Question {
  readonly title?: string;
  readonly reason?: string;
  readonly options?: readonly PermissionOption[];
}

export interface Approval {
  /** The input is there: what was asked and answered before can be said. */
  open(): void;
  ask(id: string, question: Question): void;
  /** An answer to that question, or to none that was asked. */
  answer(id: string | undefined, isApproved: boolean, reason?: string): void;
  /** The call is over: whoever was asked is asked no more, and what was refused has an answer that says so. */
  settle(isApproved: boolean, reason?: string): void;
  isWaiting(): boolean;
  isDenied(): boolean;
}

export function createApproval(send: Send, toolCallId: string): Approval {
  let isOpen = false;
  let held: UIMessageChunk[] = [];
  let asked: string | undefined;
  let isApproved: boolean | undefined;

  function say(chunk: UIMessageChunk): void {
    if (isOpen) send(chunk);
    else held.push(chunk);
  }

  function respond(approvalId: string, approved: boolean, reason: string | undefined): void {
    isApproved = approved;
    say({ type: 'tool-approval-response', approvalId, approved, ...told({ reason: asText(reason) }) });
  }

  /** Nobody was asked: a rule has decided. */
  function decide(approved: boolean, reason: string | undefined): void {
    asked = `${toolCallId}:rule`;
    say({ type: 'tool-approval-request', approvalId: asked, toolCallId, isAutomatic: true });
    respond(asked, approved, reason);
  }

  return {
    open() {
      isOpen = true;
      for (const chunk of held) send(chunk);
      held = [];
    },
    ask(id, { title, reason, options }) {
      asked = id;
      isApproved = undefined;
      const descriptor = told({ title, options });
      const approvalDescriptor = Object.keys(descriptor).length > 0 ? descriptor : undefined;
      say({
        type: 'tool-approval-request',
        approvalId: id,
        toolCallId,
        ...told({ approvalDescriptor, reason: asText(reason) }),
      });
    },
    answer(id, approved, reason) {
      if (asked === undefined) decide(approved, reason);
      else if ((id ?? asked) === asked && isApproved === undefined) respond(asked, approved, reason);
    },
    settle(approved, reason) {
      if (asked === undefined) {
        if (!approved) decide(false, reason);
      } else if (isApproved !== approved) respond(asked, approved, reason);
    },
    isWaiting: () => asked !== undefined && isApproved === undefined,
    isDenied: () => isApproved === false,
  };
}
