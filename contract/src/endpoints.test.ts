import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as accounts from './accounts.ts';
import * as administration from './administration.ts';
import * as analytics from './analytics.ts';
import * as assets from './assets.ts';
import * as calendar from './calendar.ts';
import * as costs from './costs.ts';
import * as deposits from './deposits.ts';
import * as cycles from './cycles.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import * as errors from './errors.ts';
import * as exports from './exports.ts';
import * as fields from './fields.ts';
import * as insights from './insights.ts';
import * as meters from './meters.ts';
import * as notifications from './notifications.ts';
import * as periods from './periods.ts';
import * as securityEvents from './security-events.ts';
import * as sessions from './sessions.ts';
import * as settlements from './settlements.ts';
import * as shares from './shares.ts';
import * as signIns from './sign-ins.ts';
import * as statements from './statements.ts';
import * as users from './users.ts';

const calls: [key: string, endpoint: Endpoint][] = Object.entries(endpoints);
const pathOf = (key: string) => key.slice(key.indexOf(' ') + 1);

const nouns = [
  accounts,
  administration,
  analytics,
  assets,
  calendar,
  costs,
  deposits,
  exports,
  insights,
  meters,
  notifications,
  periods,
  securityEvents,
  sessions,
  settlements,
  shares,
  signIns,
  statements,
  users,
];

const schemas = [...nouns, cycles, errors, fields]
  .flatMap((module): unknown[] => Object.values(module))
  .filter((value) => value instanceof z.ZodType);

it('contains each call of the nouns once', () => {
  const keys = nouns.flatMap((noun) =>
    Object.entries(noun).flatMap(([name, table]) => (name.endsWith('Endpoints') ? Object.keys(table) : [])),
  );
  expect(['GET /api/about/', ...keys].toSorted()).toEqual(Object.keys(endpoints).toSorted());
});

describe.each(calls)('%s', (key, { params, query, body, answers, csv, administrator, recentCheck }) => {
  const path = pathOf(key);

  it('has a path below /api/ that ends in a slash, or is that of a file', () => {
    expect(path).toMatch(/^\/api\/(?:[a-z-]+\/|\{[a-z_]+\}\/)+(?:\{[a-z_]+\}\.ics)?$/);
  });

  it('has a schema for exactly the parameters in its path', () => {
    const named = [...path.matchAll(/(?<=\{)\w+(?=\})/g)].map(String);
    const described = params instanceof z.ZodObject ? Object.keys(params.shape) : [];
    expect(described.toSorted()).toEqual(named.toSorted());
  });

  it('rejects unknown keys in the body, the query and the path', () => {
    for (const part of [body, query, params]) {
      // The specification doesn't define what clients send to end a session, so any field is accepted.
      if (!part || part === sessions.EndSessionRequest) continue;
      const refused = part.safeParse({ surprise: 1 }).error?.issues.map(({ code }) => code);
      expect(refused).toContain('unrecognized_keys');
    }
  });

  it('takes a format if it can answer a file', () => {
    const [wanted, unknown] = ['csv', 'xml'].map((format) => query?.safeParse({ format }).success);
    expect([wanted, unknown]).toEqual(csv ? [true, false] : query ? [false, false] : [undefined, undefined]);
  });

  it('has a successful answer, which is empty only for 204', () => {
    expect(Object.keys(answers)).not.toHaveLength(0);
    for (const [status, schema] of Object.entries(answers)) {
      expect(schema instanceof z.ZodUndefined).toBe(status === '204');
    }
  });

  it('takes a recent check if an administrator changes something', () => {
    expect(administrator === true).toBe(path.startsWith('/api/administration/'));
    expect(administrator === true && !key.startsWith('GET ') && recentCheck !== true).toBe(false);
  });

  it('can be expressed as JSON Schema', () => {
    const taken = [params, query, body].filter((schema) => schema !== undefined);
    const given = Object.values(answers).filter((schema) => !(schema instanceof z.ZodUndefined));
    expect(() => taken.map((schema) => z.toJSONSchema(schema, { io: 'input' }))).not.toThrow();
    expect(() => given.map((schema) => z.toJSONSchema(schema, { io: 'output' }))).not.toThrow();
  });
});

describe('schema names', () => {
  it('are unique', () => {
    const ids = schemas.map((schema) => schema.meta()?.id).filter((id) => id !== undefined);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
  });
});
