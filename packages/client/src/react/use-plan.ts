// The plan that waits for a yes, live.

import type { AgentStreamEvent, EventOf, Json } from '@tailrace/core';
import { useEffect, useState } from 'react';
import { fieldsOf } from '../timeline/shown-input.ts';
import type { WaitingRequest } from './permissions.ts';
import { useClient } from './provider.ts';

export interface PlanView {
  /** The plan that waits for a yes; null where the request is about something else. */
  readonly text: string | null;
  /** It is not known yet whether there is one. */
  readonly isLoading: boolean;
}

const NONE: PlanView = { text: null, isLoading: false };

/** The plan that the call of a request puts forward. Agents tell it before they ask, apart from the request. */
export function usePlan({ sessionId, request }: WaitingRequest): PlanView {
  const client = useClient();
  const toolCallId =
    request.type === 'permission-request' && mayHavePlan(request.input) ? request.toolCallId : undefined;
  const isAsked = sessionId !== null && toolCallId !== undefined;
  const [view, setView] = useState<PlanView>({ text: null, isLoading: true });
  useEffect(() => {
    if (!isAsked) return;
    let text: string | null = null;
    let isLive = false;
    let isCut = false;
    const end = new AbortController();
    const isOurs = (event: AgentStreamEvent): event is EventOf<'plan-update'> =>
      event.type === 'plan-update' && event.toolCallId === toolCallId;
    const show = (): void => {
      if (isLive && !isCut) setView({ text, isLoading: false });
    };
    /** A plan that travelled cut is none to say yes to. What cannot be had stays away: it can be denied all the same. */
    async function loadWhole(position: number, session: string): Promise<void> {
      const events = await client.http.wholeEvents(session, position, { signal: end.signal });
      for (const { event } of events) if (isOurs(event)) text = event.text ?? text;
      isCut = false;
      show();
    }
    const subscription = client.subscribe(
      { view: 'events', sessions: [sessionId], filter: { kinds: ['plan-update'] } },
      (messages) => {
        for (const message of messages) {
          if (message.type === 'live') isLive = true;
          else if (message.type === 'event' && isOurs(message.event)) {
            text = message.event.text ?? text;
            isCut = message.cut !== undefined;
            if (isCut) loadWhole(message.position, sessionId).catch(() => undefined);
          }
        }
        show();
      },
    );
    return () => {
      subscription.close();
      end.abort();
    };
  }, [client, sessionId, toolCallId, isAsked]);
  return isAsked ? view : NONE;
}

/** The input of such a call is empty, or the plan itself: any other is shown as it is. */
function mayHavePlan(input: Json): boolean {
  return fieldsOf(input).every(({ name }) => name === 'plan');
}
