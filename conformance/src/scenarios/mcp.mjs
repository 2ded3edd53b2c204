import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { once, partial } from './common.mjs';

const mcpServer = readFileSync(new URL('../assets/mcp-server.mjs', import.meta.url));

const withServer =
  (name, allowed, prompt, ...more) =>
  (folders) =>
    once(
      prompt,
      '--mcp-config',
      JSON.stringify({
        mcpServers: {
          [name]: { type: 'stdio', command: process.execPath, args: [join(folders.home, 'harness', 'mcp-server.mjs')] },
        },
      }),
      '--allowedTools',
      allowed,
      ...more,
    );

export const mcp = [
  () => ({
    name: 'mcp',
    small: true,
    description: 'Tools of an MCP server: plain, structured, with an image, and failing.',
    covers: ['mcp'],
    homeFiles: { 'harness/mcp-server.mjs': mcpServer },
    arguments: withServer('gauge', 'mcp__gauge', 'Ask the gauge'),
    lanes: {
      main: [
        reply(
          [
            tool('mcp__gauge__add', { a: 2, b: 40 }),
            tool('mcp__gauge__structured', {}),
            tool('mcp__gauge__picture', {}),
            tool('mcp__gauge__fail', {}, { success: false }),
          ],
          usage(106, 70, 426, 0),
        ),
        reply([text('Forty-two, and four.')], usage(10, 6, 57, 426)),
      ],
    },
  }),
  () => ({
    name: 'mcp-double-underscore',
    description: 'Server and tool have a double underscore in their names.',
    covers: ['mcp'],
    homeFiles: { 'harness/mcp-server.mjs': mcpServer },
    // A rule for the whole server would be read as the tool `gauge` of a server `river`, so the rule names the tool.
    arguments: withServer('river__gauge', 'mcp__river__gauge__read__level', 'Ask the gauge', partial),
    lanes: {
      main: [
        reply([tool('mcp__river__gauge__read__level', {})], usage(107, 30, 427, 0)),
        reply([text('It is four.')], usage(10, 4, 58, 427)),
      ],
    },
  }),
  () => ({
    name: 'mcp-large',
    description: 'An MCP tool returns 1.2 MB.',
    covers: ['mcp', 'large line'],
    homeFiles: { 'harness/mcp-server.mjs': mcpServer },
    arguments: withServer('gauge', 'mcp__gauge', 'Ask for a lot'),
    lanes: {
      main: [
        reply([tool('mcp__gauge__big', { size: 1200000 })], usage(108, 30, 428, 0)),
        reply([text('That was a lot.')], usage(10, 5, 59, 428)),
      ],
    },
  }),
];
