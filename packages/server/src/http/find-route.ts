// An address → the route it belongs to. The address is taken as it came: nothing is put together, cut short or cleaned up first.

import { ProblemError } from '../problem-error.ts';
import { PARAMETERS, type Parameter, type Route } from './route.ts';

export interface FoundRoute {
  readonly route: Route;
  /** Checked: nobody behind this sees another id. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The route; nothing when there is none. Throws a {@link ProblemError} for an id that cannot be one (T-23). */
export function findRoute(routes: readonly Route[], method: string, path: string): FoundRoute | undefined {
  const words = path.split('/');
  const route = routes.find((one) => one.method === method && isSame(one.path.split('/'), words));
  if (!route) return undefined;
  const names = route.path.split('/');
  return {
    route,
    parameters: Object.fromEntries(
      names.flatMap((name, index) => (name.startsWith(':') ? [[name.slice(1), read(name, words[index] ?? '')]] : [])),
    ),
  };
}

function isSame(names: readonly string[], words: readonly string[]): boolean {
  return names.length === words.length && names.every((name, at) => name.startsWith(':') || name === words[at]);
}

function read(name: string, word: string): string {
  const value = decode(word);
  // A route may only name parameters of that list: a test looks at all of them.
  const pattern = PARAMETERS[name.slice(1) as Parameter];
  if (value === undefined || !pattern.test(value))
    throw new ProblemError('bad-request', `what stands in the place of ${name} is none`);
  return value;
}

/** Once: what was written twice in code stays so, and is no id. */
function decode(word: string): string | undefined {
  try {
    return decodeURIComponent(word);
  } catch {
    return undefined;
  }
}
