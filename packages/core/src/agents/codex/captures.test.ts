import { type ServedCall, testRecordings } from '../../../test/recordings.ts';
import { codex } from './index.ts';

/** Codex prints no calls but items, and nothing for a tool it does not have or a command it refuses to run. */
const items: Readonly<Record<string, string>> = {
  add: 'add',
  fail: 'fail',
  picture: 'picture',
  crash: 'crash',
  apply_patch: 'file_change',
  exec_command: 'command_execution',
  spawn_agent: 'spawn_agent',
  wait_agent: 'wait',
  send_input: 'send_input',
  close_agent: 'close_agent',
  web_search: 'web_search',
};

function printed({ name, input }: ServedCall): string | undefined {
  const isRefused = typeof input === 'object' && input !== null && 'sandbox_permissions' in input;
  return isRefused ? undefined : items[name];
}

testRecordings(codex, {
  printed,
  tokens: 'main',
  firstLine: true,
  invented: [
    { type: 'thread.invented', thread_id: 'x' },
    { type: 'item.completed', item: { id: 'item_9', type: 'dance', steps: 3 } },
    { type: 'item.completed', item: null },
  ],
});
