// Everything that can be asked for over HTTP, beside the page.

import { z } from 'zod';
import { describeRoutes } from './describe-routes.ts';
import { defineRoute, type Route } from './route.ts';
import { eventRoutes } from './routes/events.ts';
import { healthRoutes } from './routes/health.ts';
import { programRoutes } from './routes/programs.ts';
import { questionRoutes } from './routes/questions.ts';
import { rewindRoutes } from './routes/rewind.ts';
import { runRoutes } from './routes/runs.ts';
import { sessionPartRoutes } from './routes/session-parts.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { settingsRoutes } from './routes/settings.ts';
import { signInRoutes } from './routes/sign-in.ts';

let document: Record<string, unknown> | undefined;

export const routes: readonly Route[] = [
  ...signInRoutes,
  ...sessionRoutes,
  ...sessionPartRoutes,
  ...eventRoutes,
  ...questionRoutes,
  ...rewindRoutes,
  ...runRoutes,
  ...programRoutes,
  ...settingsRoutes,
  ...healthRoutes,
  defineRoute({
    name: 'getDocument',
    method: 'GET',
    path: '/api/openapi.json',
    says: 'This document.',
    entry: 'read',
    reply: z.looseObject({ openapi: z.string() }),
    hasETag: true,
    handle: async () => ({ body: openApi() as { openapi: string } }),
  }),
];

/** The OpenAPI document of all routes. */
export function openApi(): Record<string, unknown> {
  document ??= describeRoutes(routes);
  return document;
}
