// What else happened on the way: retries, compactions, denials, prompts, todos, files and strange lines.
import { show } from './values.mjs';

const edits = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'];

/** The successful calls in the order of their results, with what went in and came out. */
function successes({ blocks, toolResults }) {
  return toolResults
    .filter((result) => !result.failed)
    .flatMap((result) => {
      const uses = blocks.filter((block) => block.type === 'tool_use' && block.id === result.id);
      // A block that was streamed begins with an empty input; the whole message has the real one.
      const use = uses.find((block) => Object.keys(block.input ?? {}).length) ?? uses[0];
      return use
        ? [{ name: use.name, input: use.input ?? {}, output: result.output ?? {}, thread: result.thread }]
        : [];
    });
}

function todoList(calls) {
  let list = [];
  const tasks = new Map();
  for (const { name, input, output } of calls.filter((call) => !call.thread)) {
    if (name === 'TodoWrite') list = input.todos.map((entry) => [entry.content, entry.status]);
    if (name === 'TaskCreate') tasks.set(output.task.id, [output.task.subject, 'pending']);
    if (name === 'TaskUpdate' && output.statusChange) tasks.get(output.taskId)[1] = output.statusChange.to;
  }
  return tasks.size ? [...tasks.values()] : list;
}

function checkFiles(calls, story, summary, say) {
  const folder = `${story.inits[0]?.cwd}/`;
  const relative = (path) => (path.startsWith(folder) ? path.slice(folder.length) : path);
  const wanted = new Map();
  const possible = new Set();
  for (const { name, input, output, thread } of calls) {
    const path = output.filePath ?? input.file_path ?? input.notebook_path;
    if (name === 'ExitPlanMode' && path) possible.add(relative(path));
    if (!edits.includes(name) || !path) continue;
    possible.add(relative(path));
    // Of a sub-agent only the input is printed, which does not tell a new file from an old one.
    if (!thread && !wanted.has(relative(path))) wanted.set(relative(path), output.type === 'create' ? 'add' : 'modify');
  }
  const have = summary.filesChanged.map((file) => [relative(file.path), file.operation]);
  const byPath = new Map(have);
  if (byPath.size !== have.length) say(`a file comes twice in ${show(have)}`);
  for (const [path, operation] of wanted)
    if (byPath.get(path) !== operation) say(`file ${path} is ${byPath.get(path)}, not ${operation}`);
  for (const path of byPath.keys()) if (!possible.has(path)) say(`file ${path} was never changed`);
}

function checkCheckpoints(story, summary, say) {
  const users = story.lines.filter((line) => line.type === 'user' && line.uuid && !line.parent_tool_use_id);
  const order = [...new Set(users.map((line) => line.uuid))];
  const { checkpoints } = summary;
  const places = checkpoints.map((identifier) => order.indexOf(identifier));
  const rising = places.every((place, index) => place >= 0 && (index === 0 || place > places[index - 1]));
  if (!rising || checkpoints.length > 100)
    say(`checkpoints ${show(checkpoints)} are not prompts in order, each once, 100 at most`);
  // What a command of the program printed is echoed as if the user had said it.
  const prompts = users.filter(
    (line) => line.isReplay && !JSON.stringify(line.message.content).includes('<local-command-'),
  );
  for (const prompt of prompts.slice(-100))
    if (!checkpoints.includes(prompt.uuid)) say(`the prompt ${prompt.uuid} is no checkpoint`);
}

function checkLines(story, summary, say) {
  const { lines } = summary;
  if (lines.total !== story.rowCount) say(`lines are ${lines.total}, not ${story.rowCount}`);
  for (const fault of ['notJson', 'tooLong', 'tooDeep', 'spliced'])
    if (lines[fault]) say(`${lines[fault]} lines are ${fault}`);
  if (lines.cutOff !== Number(story.cutOff)) say(`cut off lines are ${lines.cutOff}, not ${Number(story.cutOff)}`);
  const onPurpose = story.meta.covers.includes('unknown block');
  if (onPurpose && !lines.unknown) say('the unknown block is not counted');
  if (!onPurpose && lines.unknown) say(`${lines.unknown} unknown: ${show(lines.unknownTypes)}`);
}

export function checkHappenings(story, summary, say) {
  const count = (what, have, wanted) => {
    if (have !== wanted) say(`${what} are ${have}, not ${wanted}`);
  };
  count('retries', summary.retries, story.system('api_retry').length);
  count('compactions', summary.compactions, story.system('compact_boundary').length);
  const denied = story.results.length
    ? story.deniedIds
    : new Set(story.system('permission_denied').map((line) => line.tool_use_id));
  count('permission denials', summary.permissionDenials, denied.size);
  const calls = successes(story);
  const todos = summary.todos.map((entry) => [entry.content, entry.status]);
  if (JSON.stringify(todos) !== JSON.stringify(todoList(calls)))
    say(`todos are ${show(todos)}, not ${show(todoList(calls))}`);
  checkFiles(calls, story, summary, say);
  checkCheckpoints(story, summary, say);
  checkLines(story, summary, say);
}
