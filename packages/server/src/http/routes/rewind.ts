import {
  rewindBody,
  rewindPreviewBody,
  rewindPreviewReply,
  rewindReply,
  startBefore,
  startBeforeQuery,
} from '@tailrace/protocol';
import { defineRoute, type Route } from '../route.ts';

/** Going back to before a prompt: first it is shown, then it is done as it was shown. */
export const rewindRoutes: readonly Route[] = [
  defineRoute({
    name: 'startBefore',
    method: 'GET',
    path: '/api/sessions/:sessionId/before',
    says: 'With what a run is started to go on from before a prompt, in a session of its own. Files stay as they are.',
    entry: 'run',
    query: startBeforeQuery,
    reply: startBefore,
    handle: async ({ caller, query, parameters }, { rewinds }) => ({
      body: await rewinds.before(caller, { ...query, ...parameters }),
    }),
  }),
  defineRoute({
    name: 'previewRewind',
    method: 'POST',
    path: '/api/sessions/:sessionId/rewind/preview',
    says: 'What going back to before a prompt would do to files and conversation. Nothing is touched.',
    entry: 'run',
    body: rewindPreviewBody,
    reply: rewindPreviewReply,
    handle: async ({ caller, body, parameters }, { rewinds }) => ({
      body: await rewinds.preview(caller, { ...body, ...parameters }),
    }),
  }),
  defineRoute({
    name: 'rewindSession',
    method: 'POST',
    path: '/api/sessions/:sessionId/rewind',
    says: 'Goes back to before a prompt, if that still does what was shown; a program needs the right to answer too.',
    entry: 'run',
    body: rewindBody,
    reply: rewindReply,
    handle: async ({ caller, body, parameters }, { rewinds }) => ({
      body: await rewinds.rewind(caller, { ...body, ...parameters }),
    }),
  }),
];
