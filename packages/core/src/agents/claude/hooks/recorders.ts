// Where hooks stand in the settings, and which of them are ours.

import { type Container, containerAt, memberOf, type Part } from './json-text.ts';

/** Some hooks of one event. */
interface Group {
  readonly part: Part;
  readonly matcher: string | undefined;
  readonly hooks: Container;
  /** The hooks in it that are ours, and how many are not. */
  readonly ours: ReadonlySet<Part>;
  readonly others: number;
  readonly isOurs: boolean;
}

/** All hooks of one event. */
interface List {
  readonly part: Part;
  readonly container: Container;
  readonly groups: readonly Group[];
}

/** The settings as an object; throws when they are none. */
export function rootOf(text: string): Container {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  try {
    JSON.parse(text.slice(start));
  } catch (error) {
    throw new Error(`the settings are not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const root = containerAt(text, start);
  if (root?.kind !== 'object') throw new Error('the settings are not an object');
  return root;
}

/** What is hooked; throws when that cannot be told for one of the events. */
export function hooksAt(
  text: string,
  member: Part,
  command: string,
  events: readonly string[],
): { readonly container: Container; readonly lists: readonly List[] } {
  const container = containerAt(text, member.value);
  if (container?.kind !== 'object') throw new Error('"hooks" in the settings is not an object');
  const lists = container.parts.flatMap((part): readonly List[] => {
    const list = containerAt(text, part.value);
    if (list?.kind === 'list')
      return [{ part, container: list, groups: list.parts.flatMap((one) => groupAt(text, one, command)) }];
    if (events.includes(part.name)) throw new Error(`"hooks.${part.name}" in the settings is not a list`);
    return [];
  });
  return { container, lists };
}

/** A group of hooks; what is no group is the person's, whatever it is. */
function groupAt(text: string, part: Part, command: string): readonly Group[] {
  const group = containerAt(text, part.value);
  const member = group?.kind === 'object' ? memberOf(group, 'hooks') : undefined;
  const list = member && containerAt(text, member.value);
  if (!group || list?.kind !== 'list') return [];
  const ours = new Set(list.parts.filter((one) => isOurCommand(commandAt(text, one), command)));
  const matcher = memberOf(group, 'matcher');
  return [
    {
      part,
      matcher: matcher && textAt(text, matcher),
      hooks: list,
      ours,
      others: list.parts.length - ours.size,
      isOurs: ours.size > 0,
    },
  ];
}

function commandAt(text: string, hook: Part): string | undefined {
  const container = containerAt(text, hook.value);
  const member = container?.kind === 'object' ? memberOf(container, 'command') : undefined;
  return member && textAt(text, member);
}

function textAt(text: string, { value, end }: Part): string | undefined {
  return text[value] === '"' ? JSON.parse(text.slice(value, end)) : undefined;
}

/**
 * A Tailrace that lies or lay elsewhere: its own program, or Node with its file, and the one word. Anything around that makes it
 * a command of the person's.
 */
const ALONE = /^('[^']*'|"[^"]*"|[^\s'";&|<>()$`]+) hook$/u;
const WITH_NODE = /^('[^']*'|"[^"]*"|[^\s'";&|<>()$`]+) ('[^']*'|"[^"]*"|[^\s'";&|<>()$`]+) hook$/u;

function isOurCommand(told: string | undefined, command: string): boolean {
  if (told === undefined) return false;
  if (told === command) return true;
  const alone = ALONE.exec(told);
  if (alone) return nameOf(alone[1]) === 'tailrace';
  const both = WITH_NODE.exec(told);
  return both !== null && /^(node|electron)(\.exe)?$/i.test(nameOf(both[1])) && nameOf(both[2]) === 'tailrace.js';
}

/** The last step of a path that may be quoted. */
function nameOf(word = ''): string {
  return (
    word
      .replaceAll(/^['"]|['"]$/g, '')
      .split(/[\\/]/)
      .at(-1) ?? ''
  );
}

/** Where the commands of ours stand that are not this one. */
export function strayCommands(text: string, list: List, command: string): readonly Part[] {
  return list.groups.flatMap(({ ours }) =>
    [...ours].flatMap((hook) => {
      const container = containerAt(text, hook.value);
      const told = container && memberOf(container, 'command');
      return told && textAt(text, told) !== command ? [told] : [];
    }),
  );
}
