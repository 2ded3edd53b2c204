// Tools that the API runs itself: their results come in the answer of the model.
import { serverTool, text, whole } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { once, partial } from './common.mjs';

const search = (id) => [
  serverTool('web_search', { query: 'mill race' }, { id }),
  whole({
    type: 'web_search_tool_result',
    tool_use_id: id,
    content: [
      {
        type: 'web_search_result',
        url: 'https://example.com/race',
        title: 'Race',
        encrypted_content: 'RXhhbXBsZQ==',
        page_age: null,
      },
    ],
  }),
];
const citation = {
  type: 'web_search_result_location',
  cited_text: 'a channel',
  url: 'https://example.com/race',
  title: 'Race',
  encrypted_index: 'RXhh',
};

export const serverTools = [
  ...[[], [partial]].map((flags) => () => ({
    name: flags.length ? 'server-search-partial' : 'server-search',
    description: 'Two searches run by the API itself, and a text with a citation.',
    covers: ['server tool', 'citations'],
    arguments: once('Search', ...flags),
    lanes: {
      main: [
        reply(
          [
            text('Searching.'),
            ...search('srvtoolu_01FirstSearchOfTwo000000'),
            ...search('srvtoolu_01SecondSearchOfTwo00000'),
            text('It is a channel.', { citations: [citation] }),
          ],
          usage(310, 92, 610, 0),
          { extraUsage: { server_tool_use: { web_search_requests: 2 } } },
        ),
      ],
    },
  })),
  () => ({
    name: 'server-mcp',
    description: 'A tool of an MCP server that the API itself calls, and its result.',
    covers: ['server tool', 'mcp'],
    arguments: once('Ask the far gauge', partial),
    lanes: {
      main: [
        reply(
          [
            whole({
              type: 'mcp_tool_use',
              id: 'mcptoolu_01FarGauge00000000000000',
              name: 'read_level',
              server_name: 'far',
              input: { unit: 'm' },
            }),
            whole({
              type: 'mcp_tool_result',
              tool_use_id: 'mcptoolu_01FarGauge00000000000000',
              is_error: false,
              content: [{ type: 'text', text: 'four' }],
            }),
            text('Four metres.'),
          ],
          usage(64, 40, 349, 0),
        ),
      ],
    },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'server-code',
    description: 'Code that the API itself runs, and its result.',
    covers: ['server tool'],
    arguments: once('Compute'),
    lanes: {
      main: [
        reply(
          [
            serverTool('code_execution', { code: 'print(2 + 2)' }, { id: 'srvtoolu_01CodeOfTheApi0000000000' }),
            whole({
              type: 'code_execution_tool_result',
              tool_use_id: 'srvtoolu_01CodeOfTheApi0000000000',
              content: { type: 'code_execution_result', stdout: '4\n', stderr: '', return_code: 0, content: [] },
            }),
            text('Four.'),
          ],
          usage(65, 41, 350, 0),
        ),
      ],
    },
  }),
  () => ({
    name: 'server-tool-error',
    description: 'A search and a fetch by the API itself, both failing.',
    covers: ['server tool', 'tool error'],
    arguments: once('Search and fetch'),
    lanes: {
      main: [
        reply(
          [
            serverTool('web_search', { query: 'mill tail' }, { id: 'srvtoolu_01SearchOfTheApi00000000' }),
            whole({
              type: 'web_search_tool_result',
              tool_use_id: 'srvtoolu_01SearchOfTheApi00000000',
              content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
            }),
            serverTool('web_fetch', { url: 'https://example.com/' }, { id: 'srvtoolu_01FetchOfTheApi000000000' }),
            whole({
              type: 'web_fetch_tool_result',
              tool_use_id: 'srvtoolu_01FetchOfTheApi000000000',
              content: { type: 'web_fetch_tool_result_error', error_code: 'url_not_accessible' },
            }),
            text('Neither worked.'),
          ],
          usage(67, 41, 350, 0),
        ),
      ],
    },
  }),
];
