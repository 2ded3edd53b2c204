// Where everything is. A session's page is loaded when it is first opened: the home page needs none of it.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Home } from './home/home.tsx';
import { readHomeSearch } from './home/search.ts';
import { readFindSearch } from './search/find-search.ts';
import { NotFound } from './shell/not-found.tsx';
import { PageTrouble } from './shell/page-trouble.tsx';
import { Shell } from './shell/shell.tsx';
import { readUsageSearch } from './usage/usage-search.ts';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const homeRoute = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: readHomeSearch,
  component: Home,
});

/** What the address of a session may say beside its id. */
interface SessionSearch {
  /** A part of the conversation to go to. */
  readonly part?: string | undefined;
  /** A line of the record to go to, where nobody knows the part. */
  readonly position?: number | undefined;
}

const sessionRoute = createRoute({
  getParentRoute: () => root,
  path: '/sessions/$sessionId',
  validateSearch: (search): SessionSearch => ({
    ...(typeof search['part'] === 'string' && { part: search['part'] }),
    ...(typeof search['position'] === 'number' && { position: search['position'] }),
  }),
  component: lazyRouteComponent(() => import('./session/session-page.tsx'), 'SessionPage'),
});

const usageRoute = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => import('./usage/usage-page.tsx'), 'UsagePage'),
});

const searchRoute = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: readFindSearch,
  component: lazyRouteComponent(() => import('./search/search-page.tsx'), 'SearchPage'),
});

/** What may be filled in already. */
interface StartSearch {
  readonly project?: string | undefined;
  readonly agent?: string | undefined;
}

const startRoute = createRoute({
  getParentRoute: () => root,
  path: '/start',
  validateSearch: (search): StartSearch => ({
    ...(typeof search['project'] === 'string' && { project: search['project'] }),
    ...(typeof search['agent'] === 'string' && { agent: search['agent'] }),
  }),
  component: lazyRouteComponent(() => import('./start/start-page.tsx'), 'StartPage'),
});

/** The two sessions. */
interface CompareSearch {
  readonly a?: string | undefined;
  readonly b?: string | undefined;
}

const compareRoute = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: (search): CompareSearch => ({
    ...(typeof search['a'] === 'string' && { a: search['a'] }),
    ...(typeof search['b'] === 'string' && { b: search['b'] }),
  }),
  component: lazyRouteComponent(() => import('./compare/compare-page.tsx'), 'ComparePage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
});

const aboutRoute = createRoute({
  getParentRoute: () => root,
  path: '/about',
  component: lazyRouteComponent(() => import('./about/about-page.tsx'), 'AboutPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    homeRoute,
    sessionRoute,
    usageRoute,
    searchRoute,
    startRoute,
    compareRoute,
    settingsRoute,
    aboutRoute,
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: PageTrouble,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
