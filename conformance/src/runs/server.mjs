// The tiny MCP server, and how the program is told of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const serverFiles = {
  'harness/mcp-server.mjs': readFileSync(new URL('../assets/mcp-server.mjs', import.meta.url)),
};

/** The JSON of a configuration with one server of this name. */
export const serverOf = ({ folders }, name) =>
  JSON.stringify({
    mcpServers: {
      [name]: { type: 'stdio', command: process.execPath, args: [join(folders.home, 'harness', 'mcp-server.mjs')] },
    },
  });
