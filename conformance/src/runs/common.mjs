// What several families need.
import { text, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';

export const write = (name, content = `${name}\n`) => tool('Write', { file_path: name, content });
export const bash = (command, more = {}) => tool('Bash', { command, description: 'Run it', ...more });
export const says = (words, ...counts) => reply([text(words)], usage(...counts));
export const does = (block, ...counts) => reply([block], usage(...counts));

export const good = { outcome: 'success', end: 'exit' };

/** The words of a result that went back to the model. */
export const resultOf = (played, toolCallId) =>
  played
    .lines('stdout')
    .flatMap((line) => (line.type === 'user' && Array.isArray(line.message.content) ? line.message.content : []))
    .filter((block) => block.type === 'tool_result' && block.tool_use_id === toolCallId)
    .map((block) => (typeof block.content === 'string' ? block.content : JSON.stringify(block.content)))
    .join('\n');
