// Puts a recorder into Claude's settings and takes it out again. Text in, text out: what is not ours keeps every byte.
//
// How an undo can be exact with the text alone: whatever was made for us says so. A group without a matcher stands in a list
// and in a `hooks` that were made for it; with an empty matcher the `hooks` was the person's; with `*` the list was theirs as
// well. All three match everything, and the CLI keeps matchers when it writes the file anew, while it drops fields that it does
// not know. What was made is taken away when nothing else is in it; what was the person's stays, empty as it was.

import { asObject, asText } from '../../../event/json.ts';
import type { AgentHooks } from '../../agent.ts';
import type { HookEventName } from '../../dialects/claude/wire.ts';
import { added, type Edit, newlineOf, splice, taken, unitOf } from './edit.ts';
import { type Container, indentAt, memberOf, type Part } from './json-text.ts';
import { hooksAt, rootOf, strayCommands } from './recorders.ts';
import type { HookPayload } from './wire.ts';

/**
 * The events that tell something, and that stay as they are when a hook says nothing. Left out on purpose: whoever hooks
 * `WorktreeCreate` has to make the worktree (2.1.325: "returned no worktree path", and the tool fails), `FileChanged` needs the
 * names of files, and the others would cost a process each for what no event is made of. A CLI of today passes over names it
 * does not know; older ones skipped the whole file (stablyai/orca#15548), so no name is here that 2.1.325 does not have.
 */
export const HOOKED: readonly HookEventName[] = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'MessageDisplay',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionRequest',
  'PermissionDenied',
  'Elicitation',
  'ElicitationResult',
  'Notification',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'PostModelSwitch',
  'CwdChanged',
  'Stop',
  'StopFailure',
];

/** How Claude Code tells of itself by hooks. */
export const hooks: AgentHooks = {
  settings: { variable: 'CLAUDE_CONFIG_DIR', folder: '.claude', file: 'settings.json' },
  since: '2.1.325',
  sessionOf: (payload) => asText(asObject<HookPayload>(payload)?.session_id),
  install,
  remove,
};

/** Seconds after which the CLI gives up on the recorder, which gives up by itself long before. */
const TIMEOUT = 5;

const BLANK = /^\uFEFF?[ \t\r\n]*$/;

function install(settings: string, command: string): string {
  // A file of our own begins as no edit of a file does: so it is known again, and taken away whole.
  if (BLANK.test(settings)) {
    const lists = HOOKED.map((event) => `  ${listOf(event, groupOf(command))}`).join(',\n');
    return `${settings}{ "hooks": {\n${lists}\n} }\n`;
  }
  const text = withCommand(settings, command);
  const root = rootOf(text);
  const member = memberOf(root, 'hooks');
  const unit = unitOf(text, root);
  if (!member) {
    const outer = text.includes('\n') ? `${newlineOf(text)}${indentAt(text, root.open)}${unit}` : '';
    const inner = outer && outer + unit;
    const lists = HOOKED.map((event) => inner + listOf(event, groupOf(command))).join(',');
    return splice(text, [added(text, root, unit, `"hooks": {${lists}${outer}}`)]);
  }
  const held = hooksAt(text, member, command, HOOKED);
  const wasMade = held.lists.some(({ groups }) =>
    groups.some(({ isOurs, matcher }) => isOurs && matcher === undefined),
  );
  const fresh: string[] = [];
  const edits: Edit[] = [];
  for (const event of HOOKED) {
    const list = held.lists.filter(({ part }) => part.name === event).at(-1);
    if (!list) fresh.push(listOf(event, groupOf(command, wasMade ? undefined : '')));
    else if (!list.groups.some(({ isOurs }) => isOurs))
      edits.push(added(text, list.container, unit, groupOf(command, '*')));
  }
  if (fresh.length > 0) edits.push(added(text, held.container, unit, ...fresh));
  return splice(text, edits);
}

function remove(settings: string, command: string): string {
  if (BLANK.test(settings)) return settings;
  const root = rootOf(settings);
  const edits: Edit[] = [];
  const goneMembers = new Set<Part>();
  for (const member of root.parts.filter(({ name }) => name === 'hooks')) {
    const { container, lists } = hooksAt(settings, member, command, HOOKED);
    const inner: Edit[] = [];
    const goneLists = new Set<Part>();
    let wasMade = false;
    for (const { part, container: list, groups } of lists) {
      const ours = groups.filter(({ isOurs }) => isOurs);
      if (ours.length === 0) continue;
      wasMade ||= ours.some(({ matcher }) => matcher === undefined);
      const whole = ours.filter(({ others }) => others === 0);
      const wasListMade = ours.some(({ matcher }) => matcher !== '*');
      if (whole.length === list.parts.length && wasListMade) goneLists.add(part);
      else {
        inner.push(...taken(settings, list, new Set(whole.map((group) => group.part))));
        for (const group of ours) if (group.others > 0) inner.push(...taken(settings, group.hooks, group.ours));
      }
    }
    if (goneLists.size === container.parts.length && wasMade) goneMembers.add(member);
    else edits.push(...inner, ...taken(settings, container, goneLists));
  }
  // The file that was made for us.
  const [only] = root.parts;
  if (only && goneMembers.has(only) && root.parts.length === 1 && isOwnFile(settings, root, only))
    return settings.slice(0, root.open);
  return splice(settings, [...edits, ...taken(settings, root, goneMembers)]);
}

function isOwnFile(text: string, root: Container, only: Part): boolean {
  return text.slice(root.open, only.start) === '{ ' && text.slice(only.end) === ' }\n';
}

/** The settings in which every command of ours is this one: what was installed before may have started another. */
function withCommand(text: string, command: string): string {
  const hooks = rootOf(text).parts.filter(({ name }) => name === 'hooks');
  const strays = hooks.flatMap((member) =>
    hooksAt(text, member, command, HOOKED).lists.flatMap((list) => strayCommands(text, list, command)),
  );
  return splice(
    text,
    strays.map(({ value, end }) => ({ from: value, to: end, text: JSON.stringify(command) })),
  );
}

function groupOf(command: string, matcher?: string): string {
  const hook = `{ "type": "command", "command": ${JSON.stringify(command)}, "timeout": ${TIMEOUT} }`;
  return `{ ${matcher === undefined ? '' : `"matcher": "${matcher}", `}"hooks": [${hook}] }`;
}

function listOf(event: HookEventName, group: string): string {
  return `"${event}": [${group}]`;
}
