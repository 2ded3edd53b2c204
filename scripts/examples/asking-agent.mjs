// Plays an agent that asks: about a call that it never tells, then twice about one that it has told. Then it is killed within a sentence.
import { createInterface } from 'node:readline';

const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const print = (message) =>
  new Promise((taken) => process.stdout.write(`${JSON.stringify({ session_id: 's', ...message })}\n`, taken));
const say = (id, block) =>
  print({ type: 'assistant', message: { id, role: 'assistant', model: 'm', content: [block] } });

async function ask(request_id, tool_use_id, command) {
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command }, tool_use_id };
  await print({ type: 'control_request', request_id, request });
  for (;;) {
    const { value, done } = await answers.next();
    if (done || JSON.parse(value).response?.request_id === request_id) return;
  }
}

await print({ type: 'system', subtype: 'init', model: 'm', tools: ['Bash'] });
await ask('unseen', 'toolu_unseen', 'echo unseen');
await say('m1', { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'echo told' } });
await ask('first', 'toolu_1', 'echo told');
await ask('second', 'toolu_1', 'echo another');
await say('m2', { type: 'text', text: 'Half of an' });
process.kill(process.pid, 'SIGKILL');
