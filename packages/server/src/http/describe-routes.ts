// Routes → their OpenAPI 3.1 document, made of the same schemas that check what is asked.

import { openRequest, PROTOCOL_VERSION, problem, runInfo, serverMessages, sessionInfo } from '@tailrace/protocol';
import { z } from 'zod';
import { PARAMETERS, type Parameter, type Route } from './route.ts';

/** A JSON schema, or a part of the document. */
type Part = Record<string, unknown>;

const PROBLEM: Part = {
  description: 'It cannot be done, or is not allowed; the code says why.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

/** What has a name in the document, since it stands in several places or is long. */
const NAMED: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['Problem', problem],
  ['SessionInfo', sessionInfo],
  ['EventMessage', serverMessages.event],
  ['RunInfo', runInfo],
  ['OpenRequest', openRequest],
]);
const names: z.core.$ZodRegistry<{ readonly id: string }> = z.registry<{ readonly id: string }>();
for (const [id, schema] of NAMED) names.add(schema, { id });
const SENT = { io: 'input', metadata: names } as const;

/** The document. */
export function describeRoutes(routes: readonly Route[]): Part {
  const paths = new Map<string, Part>();
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths.set(path, { ...paths.get(path), [route.method.toLowerCase()]: describeRoute(route) });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tailrace',
      version: String(PROTOCOL_VERSION),
      description:
        'Sessions of coding agents, and the runs of one server. It is for you alone: there is no way in without a sign-in or a token.',
    },
    paths: Object.fromEntries(paths),
    components: {
      schemas: namedSchemas(),
      securitySchemes: {
        person: { type: 'apiKey', in: 'cookie', name: 'tailrace-PORT', description: 'Set by /api/sign-in.' },
        program: { type: 'http', scheme: 'bearer', description: 'A token that a person has made.' },
      },
    },
  };
}

function describeRoute(route: Route): Part {
  const parameters = [...pathParameters(route), ...queryParameters(route), ...keyParameter(route)];
  return {
    operationId: route.name,
    summary: route.says,
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(route.body) } },
      },
    }),
    responses: { ...repliesOf(route), default: PROBLEM },
  };
}

function securityOf({ entry }: Route): readonly Part[] {
  if (entry === 'anybody') return [];
  if (entry === 'person') return [{ person: [] }];
  return [{ person: [] }, { program: [entry] }];
}

function pathParameters({ path }: Route): readonly Part[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: PARAMETERS[name as Parameter].source },
  }));
}

function queryParameters({ query }: Route): readonly Part[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query) as {
    readonly properties?: Readonly<Record<string, Part>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    schema,
  }));
}

function keyParameter({ isOnce }: Route): readonly Part[] {
  const description = 'The same key again is done once, and answered again.';
  return isOnce ? [{ name: 'Idempotency-Key', in: 'header', description, schema: { type: 'string' } }] : [];
}

function repliesOf({ reply, hasBytes, hasETag }: Route): Part {
  const unchanged = hasETag ? { 304: { description: 'You have it already.' } } : {};
  if (hasBytes) {
    const content = { 'application/octet-stream': { schema: {} } };
    return {
      200: { description: 'All of it.', content },
      206: { description: 'The range that was asked for.', content },
      ...unchanged,
    };
  }
  if (!reply) return { 204: { description: 'Done.' } };
  return {
    200: { description: 'Done.', content: { 'application/json': { schema: schemaOf(reply) } } },
    ...unchanged,
  };
}

/** As it is sent: what is read of it may be another type, and a reply may have more than is known. */
function schemaOf(schema: z.ZodType): Part {
  const { $schema: _schema, $defs: _defs, ...rest } = z.toJSONSchema(schema, SENT);
  return withReferences(rest);
}

function namedSchemas(): Part {
  // A schema that has a name stands among the definitions of its own document.
  const documents = Array.from(NAMED.values(), (schema) => z.toJSONSchema(schema, SENT));
  const all = documents.flatMap(({ $defs = {} }) => Object.entries($defs));
  return withReferences(Object.fromEntries(all.map(([name, { id: _, ...schema }]) => [name, schema])));
}

/** What has a name stands in one place of the document. */
function withReferences(part: Part): Part {
  return JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', '"#/components/schemas/')) as Part;
}
