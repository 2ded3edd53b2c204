// The document says what the server does: it is made of the same declarations, and asked for here as a reader would.

import { expect, test } from 'vitest';
import { describeRoutes } from '../../src/http/describe-routes.ts';
import { openApi, routes } from '../../src/http/routes.ts';
import { openPlace } from './place.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly security: readonly Record<string, readonly string[]>[];
  readonly requestBody?: unknown;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

test('every route is in it once, with its parameters, its body and who may', () => {
  const paths = openApi()['paths'] as Paths;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(
    routes.map(({ name }) => name).sort(),
  );
  for (const { name, method, path, body, entry } of routes) {
    const found = operations.find(({ operation }) => operation.operationId === name);
    expect([found?.method, found?.path]).toEqual([method.toLowerCase(), path.replaceAll(/:(\w+)/g, '{$1}')]);
    const inPath = found?.operation.parameters?.filter((one) => one.in === 'path' && one.required) ?? [];
    expect(inPath.map((one) => `:${one.name}`)).toEqual(path.match(/:\w+/g) ?? []);
    expect(found?.operation.requestBody !== undefined).toBe(body !== undefined);
    expect(found?.operation.security.length === 0).toBe(entry === 'anybody');
  }
});

test('everything that it refers to is in it', () => {
  const text = JSON.stringify(describeRoutes(routes));
  const names = Object.keys((openApi()['components'] as { schemas: object }).schemas);
  const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference);
  expect(references.length).toBeGreaterThan(routes.length);
  for (const reference of references) expect(names.map((name) => `#/components/schemas/${name}`)).toContain(reference);
});

test('the server gives it to whoever may read', async () => {
  const place = await openPlace();
  expect((await place.ask('/api/openapi.json')).status).toBe(401);
  expect((await place.askAsPerson('/api/openapi.json')).json).toEqual(JSON.parse(JSON.stringify(openApi())));
  await place.close();
});
