import { signInReply, signInRequest } from '@tailrace/protocol';
import { z } from 'zod';
import { ProblemError } from '../../problem-error.ts';
import { defineRoute, type Route } from '../route.ts';

const nothing = z.object({});

/** Getting in and out. Beside the page, only the first two are for strangers. */
export const signInRoutes: readonly Route[] = [
  defineRoute({
    name: 'signIn',
    method: 'POST',
    path: '/api/sign-in',
    says: 'Takes the code that the server showed, once, and gives a cookie and a key for it.',
    entry: 'anybody',
    body: signInRequest,
    reply: signInReply,
    async handle({ body: { code } }, { signIns, guard, audit, onSignIn }) {
      const secrets = signIns.enter(code);
      if (secrets === undefined) {
        audit.write({ action: 'sign-in', result: 'unauthenticated' });
        throw new ProblemError('unauthenticated', 'the code is wrong, was used, is too old or was tried too often');
      }
      audit.write({ action: 'sign-in', caller: signIns.find(secrets)?.id, result: 'done' });
      onSignIn?.();
      return { body: { key: secrets.key }, headers: { 'Set-Cookie': guard.cookieFor(secrets.cookie) } };
    },
  }),
  defineRoute({
    name: 'askForCode',
    method: 'POST',
    path: '/api/code',
    says: 'Has a new code shown where the server was started.',
    entry: 'anybody',
    body: nothing,
    async handle(_, { signIns, audit, onCode }) {
      const code = signIns.newCode();
      audit.write({ action: 'code', result: code === undefined ? 'too-many' : 'done' });
      if (code === undefined) throw new ProblemError('too-many', 'a code was made a moment ago');
      onCode(code);
      return { body: undefined };
    },
  }),
  defineRoute({
    name: 'signOut',
    method: 'POST',
    path: '/api/sign-out',
    says: 'Ends the sign-in of this browser.',
    entry: 'person',
    body: nothing,
    async handle({ caller }, { signIns, guard, audit, onLeave }) {
      signIns.leave(caller.id);
      onLeave?.(caller.id);
      audit.write({ action: 'sign-out', caller: caller.id, result: 'done' });
      return {
        body: undefined,
        headers: { 'Set-Cookie': `${guard.cookieName}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0` },
      };
    },
  }),
];
