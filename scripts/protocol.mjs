// The parts of docs/protocol.md that can be made from the schemas, and the schema file of the protocol. `--check` only says whether they
// are up to date.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import * as protocol from '../packages/protocol/dist/index.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = { page: `${root}docs/protocol.md`, schema: `${root}packages/protocol/schema.json` };
const openApi = JSON.parse(readFileSync(`${root}docs/openapi.json`, 'utf8'));
const biome = `${root}node_modules/@biomejs/biome/bin/biome`;

const toSchema = (schema) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
const made = { page: page(readFileSync(files.page, 'utf8')), schema: schemaFile() };

if (process.argv.includes('--check')) {
  const old = Object.keys(files).filter((name) => made[name] !== read(files[name]));
  if (old.length > 0) {
    console.error(
      'docs/protocol.md or packages/protocol/schema.json is not what the schemas say: node scripts/protocol.mjs',
    );
    process.exit(1);
  }
} else for (const [name, file] of Object.entries(files)) writeFileSync(file, made[name]);

function schemaFile() {
  const whole = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Tailrace protocol ${protocol.PROTOCOL_VERSION}`,
    $defs: {
      Frame: toSchema(protocol.frame),
      ...Object.fromEntries(
        Object.entries(protocol.serverMessages).map(([type, schema]) => [`server.${type}`, toSchema(schema)]),
      ),
      ClientMessage: toSchema(protocol.clientMessage),
      Command: toSchema(protocol.command),
      Problem: toSchema(protocol.problem),
      // Those of a desktop app.
      ...Object.fromEntries(
        Object.entries(protocol.streamMessages).map(([channel, schema]) => [channel, toSchema(schema)]),
      ),
      ...Object.fromEntries(
        Object.entries(protocol.bridgeCalls).map(([name, schema]) => [protocol.CALL_CHANNELS[name], toSchema(schema)]),
      ),
    },
  };
  // Laid out as every other file is.
  return execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${files.schema}`], {
    input: JSON.stringify(whole, undefined, 2),
    encoding: 'utf8',
  });
}

function page(text) {
  const parts = {
    'server messages': table(
      ['type', 'fields'],
      Object.entries(protocol.serverMessages).map(([type, schema]) => [`\`${type}\``, fieldsOf(toSchema(schema))]),
    ),
    'client messages': table(
      ['type', 'fields'],
      toSchema(protocol.clientMessage).anyOf.map((schema) => [`\`${schema.properties.type.const}\``, fieldsOf(schema)]),
    ),
    routes: table(
      ['route', 'what it does'],
      Object.entries(openApi.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { summary }]) => [`\`${method.toUpperCase()} ${path}\``, summary ?? '']),
      ),
    ),
    problems: table(
      ['code', 'status', 'what it means'],
      protocol.PROBLEM_CODES.map((code) => {
        const { status, title } = protocol.createProblem(code);
        return [`\`${code}\``, status, title];
      }),
    ),
    limits: table(
      ['name', 'value'],
      Object.entries(protocol)
        .filter(([name, value]) => /^[A-Z_]+$/.test(name) && typeof value === 'number')
        .sort()
        .map(([name, value]) => [`\`${name}\``, value.toLocaleString('en')]),
    ),
  };
  let whole = text;
  for (const [name, part] of Object.entries(parts)) {
    const mark = `<!-- ${name} -->`;
    const start = whole.indexOf(mark) + mark.length;
    const next = whole.slice(start).search(/^(##|[A-Z])/m);
    whole = `${whole.slice(0, start)}\n\n${part}\n\n${next < 0 ? '' : whole.slice(start + next)}`;
  }
  return whole;
}

function fieldsOf({ properties, required = [] }) {
  return Object.keys(properties)
    .filter((name) => name !== 'type')
    .map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``)
    .join(', ');
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
