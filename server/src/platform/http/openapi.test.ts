import { createHash } from 'node:crypto';
import { endpoints } from '@hourshare/contract/endpoints';
import { errorStatus } from '@hourshare/contract/errors';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi.ts';

interface Operation {
  operationId: string;
  summary: string;
  security?: object[];
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { required: boolean; content: object };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}

const document = openApiDocument() as unknown as {
  openapi: string;
  info: Record<string, unknown>;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: object };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ key: `${method.toUpperCase()} ${path}`, path, operation })),
);

/** Returns every value with a name, at any depth. */
function valuesNamed(name: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]: [string, unknown]) => [
    ...(key === name ? [each] : []),
    ...valuesNamed(name, each),
  ]);
}

function resolve(reference: string): unknown {
  let place: unknown = document;
  for (const step of reference.replace(/^#\//, '').split('/')) place = (place as Record<string, unknown>)[step];
  return place;
}

describe('the API description', () => {
  it('is OpenAPI 3.1 with a title, a version and a license', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: 'HourShare', license: { name: 'MIT' } });
    expect(document.info['version']).toEqual(expect.any(String));
  });

  it('is valid according to an OpenAPI validator', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(openApiDocument()))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const broken = { ...openApiDocument(), info: { title: 'HourShare' } };
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it('has exactly the calls of the contract, each with a unique name', () => {
    expect(operations.map(({ key }) => key).toSorted()).toEqual(Object.keys(endpoints).toSorted());
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z_]*[a-z]$/);
  });

  it('has no dangling references and no unused schemas', () => {
    const references = valuesNamed('$ref', document).map(String);
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references)
      expect([reference, resolve(reference)]).toEqual([reference, expect.any(Object)]);
    const reachable = new Set(references.map((reference) => reference.split('/').at(-1)));
    expect(Object.keys(document.components.schemas).filter((name) => !reachable.has(name))).toEqual([]);
  });

  it('contains only JSON values', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it('uses no keywords of other JSON Schema dialects', () => {
    for (const word of ['nullable', 'definitions', 'id', '$id', '$schema'])
      expect(
        valuesNamed(word, { ...document, paths: valuesNamed('schema', document.paths) }).filter(isKeyword),
      ).toEqual([]);
    for (const word of ['exclusiveMinimum', 'exclusiveMaximum'])
      expect(valuesNamed(word, document).filter((value) => typeof value === 'boolean')).toEqual([]);
  });
});

// A property may be called `id`; its value is then a schema instead of a string or boolean.
const isKeyword = (value: unknown) => typeof value !== 'object';

describe.each(operations)('$key', ({ key, path, operation }) => {
  const endpoint = endpoints[key as keyof typeof endpoints];

  it('describes every path parameter', () => {
    const named = [...path.matchAll(/(?<=\{)\w+(?=\})/g)].map(String);
    const described = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(described.map(({ name, required }) => ({ name, required }))).toEqual(
      named.map((name) => ({ name, required: true })),
    );
  });

  it('requires a token unless it is public', () => {
    const ofMeter = 'meter' in endpoint;
    expect(operation.security).toEqual(ofMeter ? [{ meterToken: [] }] : 'public' in endpoint ? [] : undefined);
    expect('401' in operation.responses || 'public' in endpoint).toBe(true);
  });

  it('has a body if the contract does, required unless an empty one is valid', () => {
    expect(operation.requestBody !== undefined).toBe('body' in endpoint);
    const mayBeEmpty = 'body' in endpoint && endpoint.body.safeParse({}).success;
    expect(operation.requestBody?.required ?? false).toBe('body' in endpoint && !mayBeEmpty);
  });

  it('offers an Idempotency-Key if it must be done once', () => {
    const header = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header');
    expect(header.map(({ name, required }) => ({ name, required }))).toEqual(
      'idempotent' in endpoint ? [{ name: 'Idempotency-Key', required: false }] : [],
    );
  });

  it('offers CSV if it takes a format, otherwise only JSON, its file, or a stream', () => {
    const formats = Object.entries(operation.responses).flatMap(([status, { content }]) =>
      status < '300' ? Object.keys(content ?? {}) : [],
    );
    const streamed = 'stream' in endpoint ? 'text/event-stream' : 'application/json';
    const usual = 'file' in endpoint ? endpoint.file : streamed;
    expect(formats.filter((format) => format !== usual)).toEqual('csv' in endpoint ? ['text/csv'] : []);
    expect((operation.parameters ?? []).some(({ name }) => name === 'format')).toBe('csv' in endpoint);
  });

  it('lists the declared successes, and an error for every rejection', () => {
    const statuses = Object.keys(operation.responses);
    expect(statuses.filter((status) => status < '300')).toEqual(Object.keys(endpoint.answers));
    const known = new Set(Object.values(errorStatus).map(String));
    for (const [status, { content, description }] of Object.entries(operation.responses)) {
      expect(description).not.toBe('');
      expect(content === undefined).toBe(status === '204');
      if (status < '300') continue;
      expect([...known]).toContain(status);
      expect(content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/Error' } } });
    }
  });
});

/** Returns a value with each reference replaced by the schema it names, and without summaries and descriptions. */
function expand(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expand);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) return expand(resolve(String(value.$ref)));
  const entries = Object.entries(value).filter(([name, each]) => !isProse(name, each));
  return Object.fromEntries(entries.map(([name, each]: [string, unknown]) => [name, expand(each)]));
}

/** A field may have the name `description`, too, but then it is a schema. */
const isProse = (name: string, value: unknown) =>
  ['summary', 'description'].includes(name) && typeof value === 'string';

// Installed apps and scripts rely on it. If a change is intended, update the hashes:
// `npx vitest run --project server platform/http/openapi --update`.
it('what clients rely on changes only on purpose', () => {
  const groups: Record<string, unknown[]> = {};
  for (const { key, path, operation } of operations)
    (groups[path.split('/')[2] ?? ''] ??= []).push([key, expand(operation)]);
  const errors = Object.entries(errorStatus).map(([code, status]) => `${code} ${status}`);
  const hashes = Object.entries({ ...groups, errors: errors.toSorted() }).map(([name, group]) => {
    const hash = createHash('sha256').update(JSON.stringify(group)).digest('hex');
    return `${name} ${hash.slice(0, 12)}`;
  });
  expect(hashes.toSorted()).toMatchInlineSnapshot(`
    [
      "about bbc07d507ee0",
      "administration bd0aab26c4a8",
      "assets 4a844cfd3fc9",
      "balances 59f34f9247c3",
      "calendar d84a3fb32c7f",
      "claims a8ef5002eb35",
      "deposits 3a0e232540da",
      "errors 5d2793d81cda",
      "events c38e9e0adb3e",
      "findings c7225f654aaf",
      "invitations 5fba696c9544",
      "login ce39320f1191",
      "logout 19683ccfa650",
      "me 148b4da3fd77",
      "meters a56d37b3c3a0",
      "notifications 9b7dccfc0770",
      "password-reset b4280d20f9f0",
      "providers c1322828aa96",
      "push 9e830d65ac8e",
      "register 36278eb0c625",
      "renewals db4e43f6233a",
      "settlements 8c53e7468a69",
      "shared-assets dc51d317af32",
      "statement-lines dd069a9d7230",
      "statements 8ff330ed90ad",
      "token f39f1a1304ce",
      "trusted-owners 0cb582c4f5ef",
      "unsubscribe 60ae70959918",
    ]
  `);
});
