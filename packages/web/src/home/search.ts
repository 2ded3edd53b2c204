// What of the home page stands in its address: so it can be sent to somebody, and is still there after a reload.

export const SORTS = ['active', 'cost', 'duration', 'tokens'] as const;
export type Sort = (typeof SORTS)[number];

/** What is absent is as usual: everything of the last 30 days by project, the last active first. */
export interface HomeSearch {
  /** What is looked for. */
  readonly q?: string | undefined;
  /** The id of a folder. */
  readonly project?: string | undefined;
  readonly model?: string | undefined;
  readonly agent?: string | undefined;
  readonly status?: string | undefined;
  readonly starred?: true | undefined;
  readonly period?: 'all' | undefined;
  readonly sort?: Exclude<Sort, 'active'> | undefined;
  readonly by?: 'day' | undefined;
}

const LONGEST = 200;

/** What an address says; what makes no sense is left out. */
export function readHomeSearch(search: Readonly<Record<string, unknown>>): HomeSearch {
  const text = (name: string): string | undefined => {
    const value = search[name];
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    const read = isPlain ? String(value).slice(0, LONGEST) : '';
    return read === '' ? undefined : read;
  };
  const sort = text('sort');
  const read: HomeSearch = {
    q: text('q'),
    project: text('project'),
    model: text('model'),
    agent: text('agent'),
    status: text('status'),
    starred: text('starred') === 'true' ? true : undefined,
    period: text('period') === 'all' ? 'all' : undefined,
    sort: sort === 'cost' || sort === 'duration' || sort === 'tokens' ? sort : undefined,
    by: text('by') === 'day' ? 'day' : undefined,
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** Whether something narrows the list. */
export function isNarrowed({ q, project, model, agent, status, starred }: HomeSearch): boolean {
  return [q, project, model, agent, status, starred].some((value) => value !== undefined);
}
