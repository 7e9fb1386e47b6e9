import { gzipSync } from 'node:zlib';
import type { OwnedAsset } from '@hourshare/contract/assets';
import { endpoints } from '@hourshare/contract/endpoints';
import { ErrorAnswer, errorStatus, type ErrorCode } from '@hourshare/contract/errors';
import { BODY_MAX_BYTES, IMPORT_BODY_MAX_BYTES, METER_BODY_MAX_BYTES } from '@hourshare/contract/limits';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type Answer, type CallOptions, type TestApi } from '../../testing/api.ts';
import { everyCase } from '../../testing/every-case.ts';
import { HANG_MILLISECONDS, isThorough, randomRuns } from '../../testing/thorough.ts';
import { writingCalls, type Call } from '../../testing/writing-calls.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const JSON_TYPE = { 'content-type': 'application/json' };

const send = ([method, path, options]: Call, change: CallOptions) => api.call(method, path, { ...options, ...change });
const raw = (call: Call, body: string | Buffer, headers: Record<string, string> = {}) =>
  send(call, { body, headers: { ...JSON_TYPE, ...headers } });

/** Returns everything stored, to show that a rejected request changed nothing. */
const rows = async () =>
  Promise.all(
    (['users', 'sign_ins', 'assets', 'periods', 'shares', 'sessions', 'idempotency_keys'] as const).map((table) =>
      api.deps.db.selectFrom(table).selectAll().execute(),
    ),
  );

/** Returns what differs between an error response and its declaration; nothing when it matches. */
function oddities({ status, body, headers }: Answer): unknown {
  const { data } = ErrorAnswer.strict().safeParse(body);
  const sound =
    data !== undefined &&
    status === errorStatus[data.code] &&
    [data.error, ...Object.values(data.fields ?? {}).flat()].every((sentence) => sentence.trim() !== '') &&
    headers['content-type'] === 'application/json; charset=utf-8';
  return sound ? undefined : { status, body };
}

/** Returns what `refused` expects of an answer: its status, its code, and no oddities. */
const outcome = (answer: Answer) => [answer.status, (answer.body as { code?: string }).code, oddities(answer)];

async function refused(answers: Answer[], status: number, code: ErrorCode) {
  for (const answer of answers) {
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status, body: { code } });
    expect(oddities(answer)).toBeUndefined();
  }
}

it('covers every writing call of the contract', async () => {
  const { calls } = await writingCalls(api);
  const covered = Object.values(calls).map(([method, path]) => `${method} ${path}`);
  const writing = Object.keys(endpoints).filter((key) => !key.startsWith('GET '));
  const pattern = (key: string) => new RegExp(`^${key.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  expect(writing.filter((key) => !covered.some((call) => pattern(key).test(call)))).toEqual([
    // Ending a session takes any field.
    'POST /api/shared-assets/{id}/end/',
    // Mail programs unsubscribe with forms; features/notifications/notice-mails/notice-mails.test.ts tests both kinds of bodies.
    'POST /api/unsubscribe/{token}/',
  ]);
});

/** Returns every fourth of some inputs, starting with another one for each call: the same code reads all bodies. */
const someOf = <T>(inputs: T[], call: number) =>
  isThorough ? inputs : inputs.filter((_, index) => index % 4 === call % 4);

type Check = (call: Call, name: string, index: number) => Promise<void>;

const everyCall = async (check: Check) => {
  const { calls } = await writingCalls(api);
  await everyCase(
    [...Object.keys(calls).entries()],
    ([, name]) => name,
    async ([index, name]) => {
      await writingCalls(api);
      await check(calls[name]!, name, index);
    },
  );
};

/** Also checks that no call has changed anything. */
async function everyRefusedCall(check: Check) {
  await writingCalls(api);
  const before = await rows();
  await everyCall(async (call, name, index) => {
    const writes = api.database.writes();
    await check(call, name, index);
    expect(api.database.writes() === writes ? before : await rows()).toEqual(before);
  });
  expect(await rows()).toEqual(before);
}

describe('each writing call', { timeout: HANG_MILLISECONDS }, () => {
  it('rejects unknown fields without changing anything', async () => {
    const keys = ['owner', 'owner_id', 'id', 'current_usage', 'start_time', 'is_admin', 'toString', 'valueOf', ''];
    const hostile = ['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}', '{"x":{"__proto__":1}}'];
    await everyRefusedCall(async (call) => {
      const own = call[2].body as object;
      const unknown = keys.filter((key) => !Object.hasOwn(own, key));
      const all = await send(call, { body: { ...own, ...Object.fromEntries(unknown.map((key) => [key, 1])) } });
      await refused([all], 400, 'validation_failed');
      expect((all.body as { fields: object }).fields).toEqual(
        Object.fromEntries(unknown.map((key) => [key, ['Unknown field']])),
      );
      for (const body of hostile) await refused([await raw(call, body)], 400, 'malformed_request');
      await refused([await raw(call, '{"constructor":1}')], 400, 'validation_failed');
    });
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it('names the unknown field, whatever its name', async () => {
    const keys = ['surprise', 'hasOwnProperty', 'näme', 'a"b', 'a.b', '😀', ''];
    await everyRefusedCall(async (call, _, index) => {
      for (const key of someOf(keys, index))
        expect((await send(call, { body: { ...(call[2].body as object), [key]: null } })).body).toEqual({
          error: `Unknown field "${key}"`,
          code: 'validation_failed',
          detail: 'english_only',
          fields: { [key]: ['Unknown field'] },
          field_codes: { [key]: [{ code: 'english_only' }] },
        });
    });
  });

  it('rejects every wrong type in every field without changing anything', async () => {
    await everyRefusedCall(async (call, name, index) => {
      const body = call[2].body as Record<string, unknown>;
      for (const [place, [field, right]] of Object.entries(body).entries()) {
        const isOwnName = field === 'name' && ['nameSignIn', 'namePasskey', 'addPasskey'].includes(name);
        const nullable = field === 'refresh_token' || isOwnName ? [] : [null];
        const truth = typeof right === 'boolean' ? [] : [true];
        const none = typeof right === 'object' && !Array.isArray(right) ? [] : [{}];
        const nested = [...none, [], [right], { value: right }];
        const wrong = [...nullable, ...truth, ...someOf(nested, index + place), typeof right === 'string' ? 5 : '5'];
        for (const value of wrong) {
          const answer = await send(call, { body: { ...body, [field]: value } });
          await refused([answer], 400, 'validation_failed');
          const at = Object.keys((answer.body as { fields: object }).fields).map((path) => path.split('.')[0]);
          expect([...new Set(at)]).toEqual([field]);
        }
      }
    });
  });

  it('rejects anything but a JSON object', async () => {
    const deep = (open: string, close: string) => open.repeat(8000) + close.repeat(8000);
    const malformed = ['[]', '[{}]', '"text"', 'null', '5', 'true', deep('[', ']')].concat([
      '{',
      '{"a":}',
      "{'a':1}",
      '{}{}',
      'NaN',
      '{"a":NaN}',
      '{a:1}',
      '\u0000',
      'x=1&y=2',
      ' ',
    ]);
    const nested = [`${'{"a":'.repeat(8000)}1${'}'.repeat(8000)}`, `{"a":${deep('[', ']')}}`];
    await everyRefusedCall(async (call, _, index) => {
      for (const headers of [{}, { 'idempotency-key': 'one' }]) {
        for (const body of someOf(malformed, index))
          expect(outcome(await raw(call, body, headers))).toEqual([400, 'malformed_request', undefined]);
        expect(outcome(await raw(call, nested[index % 2]!, headers))).toEqual([400, 'validation_failed', undefined]);
      }
    });
  });

  it('rejects bodies over 64 KiB, other content types and compressed bodies', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json',
      'x',
    ];
    await everyRefusedCall(async (call, _, index) => {
      const good = JSON.stringify(call[2].body);
      const larger = [
        ['/api/meters/', METER_BODY_MAX_BYTES],
        ['/imports/', IMPORT_BODY_MAX_BYTES],
      ] as const;
      const max = larger.find(([part]) => call[1].includes(part))?.[1] ?? BODY_MAX_BYTES;
      expect(outcome(await raw(call, good.padEnd(max + 1)))).toEqual([413, 'body_too_large', undefined]);
      for (const type of someOf(types, index))
        expect(outcome(await raw(call, good, { 'content-type': type }))).toEqual([
          415,
          'unsupported_media_type',
          undefined,
        ]);
      const headers = index % 2 === 0 ? {} : { 'content-encoding': 'gzip' };
      expect(outcome(await raw(call, gzipSync(good), headers))).toEqual([400, 'malformed_request', undefined]);
    });
  });

  it('handles generated bodies without an internal error', async () => {
    await everyCall(async (call) => {
      const body = call[2].body as Record<string, unknown>;
      const nearly = fc.record(Object.fromEntries(Object.keys(body).map((key) => [key, fc.jsonValue()])), {
        requiredKeys: [],
      });
      const junk = fc.oneof(
        fc.json(),
        fc.object().map((each) => JSON.stringify(each)),
        nearly.map((each) => JSON.stringify(each)),
        fc.string({ unit: 'binary' }),
      );
      const odd: unknown[] = [];
      const ask = async (text: string) => {
        const answer = await raw(call, text);
        if (answer.status >= 400 && oddities(answer)) odd.push([text, oddities(answer)]);
        if (answer.status >= 500) odd.push([text, answer.status]);
      };
      await fc.assert(fc.asyncProperty(junk, ask), { numRuns: randomRuns(12) });
      expect(odd).toEqual([]);
    });
  });
});

describe('a body', () => {
  it('may be exactly 64 KiB long', async () => {
    const { calls } = await writingCalls(api);
    const text = JSON.stringify(calls['update']![2].body);
    expect((await raw(calls['update']!, text.padEnd(64 * 1024))).status).toBe(200);
  });

  it('may be empty, whatever its content type, where none is required', async () => {
    const { calls } = await writingCalls(api);
    for (const headers of [JSON_TYPE, {}, { 'content-type': 'application/json; charset=utf-8' }]) {
      const start = calls['start']!;
      expect((await api.call(start[0], start[1], { as: start[2].as!, headers })).status).toBe(201);
      expect((await api.call('POST', start[1].replace('/start/', '/end/'), { as: start[2].as!, headers })).status).toBe(
        200,
      );
      expect((await api.call('POST', '/api/logout/', { headers })).status).toBe(204);
      await refused([await api.call('POST', '/api/login/', { headers })], 400, 'validation_failed');
    }
  });

  it('with a duplicate key uses the last value and is stored once', async () => {
    const { calls } = await writingCalls(api);
    const answer = await raw(calls['update']!, '{"name":"First","name":"Last"}');
    expect(answer).toMatchObject({ status: 200, body: { name: 'Last' } });
  });

  it.each([[[0xff]], [[0xc3, 0x28]], [[0xed, 0xa0, 0x80]], [[0xc0, 0xaf]], [[0xf5, 0x80, 0x80, 0x80]]])(
    'with the invalid UTF-8 bytes %j is rejected instead of repaired',
    async (bytes) => {
      const { calls } = await writingCalls(api);
      const body = Buffer.concat([Buffer.from('{"name":"a'), Buffer.from(bytes), Buffer.from('"}')]);
      const answer = await raw(calls['update']!, body);
      expect(answer).toMatchObject({ status: 400, body: { code: 'malformed_request' } });
    },
  );
});

describe('text', () => {
  const textFields = [
    ['register', 'username'],
    ['register', 'email'],
    ['create', 'name'],
    ['create', 'description'],
    ['create', 'time_zone'],
    ['update', 'name'],
    ['update', 'description'],
    ['share', 'username'],
  ] as const;

  it.each(textFields)("in %s, field %s, can't contain unusable characters", async (name, field) => {
    const { calls } = await writingCalls(api);
    const call = calls[name]!;
    const before = await rows();
    const unusable = ['\u0000', '\u0001', '\u001b', '\u007f', '\u0085', '\u009f', '\ud800', '\udfff', '\udc00\ud800'];
    for (const character of unusable) {
      const answer = await send(call, { body: { ...(call[2].body as object), [field]: `ab${character}cd` } });
      await refused([answer], 400, 'validation_failed');
      const at = Object.keys((answer.body as { fields: object }).fields).map((path) => path.split('.')[0]);
      expect(at).toEqual([field]);
    }
    expect(await rows()).toEqual(before);
  });

  it.each(['Net\u200bflix', '\u202egnp.exe', 'مرحبا \u202eabc', '𝒳\u200b', '\u3164'])(
    "that others read can't pose as something else: %j",
    async (text) => {
      const { calls } = await writingCalls(api);
      const before = await rows();
      for (const call of [calls['create']!, calls['update']!])
        for (const field of ['name', 'description']) {
          const answer = await send(call, { body: { ...(call[2].body as object), [field]: text } });
          await refused([answer], 400, 'validation_failed');
          const sentence = expect.stringMatching(/is required$|can't contain invisible or control characters$/);
          expect(answer.body).toMatchObject({ fields: { [field]: [sentence] } });
        }
      expect(await rows()).toEqual(before);
    },
  );

  it('that was stored before it became invalid stays readable', async () => {
    const owner = await api.register('mira');
    const { id } = await api.addAsset(owner);
    await api.deps.db.updateTable('assets').set({ name: 'Net\u200bflix' }).where('id', '=', id).execute();
    const { body } = await api.call<OwnedAsset>('GET', `/api/assets/${id}/`, { as: owner });
    expect(body.name).toBe('Net\u200bflix');
    const changed = await api.call('PATCH', `/api/assets/${id}/`, { as: owner, body: { description: 'Films' } });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Net\u200bflix', description: 'Films' } });
  });

  it.each([
    'שָׁלוֹם',
    'مرحبا abc',
    'نمی\u200cخواهم',
    'क्\u200dष',
    'e\u0301\u0327 Ze\u0301',
    '👩‍👩‍👧‍👦 🏳️‍🌈',
    '日本語',
    '<b>&amp;"\'`${x}</b>',
    '𝒳',
    "'; drop table users;--",
  ])('such as %s survives a round trip', async (text) => {
    const owner = await api.register('mira');
    const { id } = await api.addAsset(owner, { name: text, description: `${text}\n\t${text}\r\n` });
    const { body } = await api.call<OwnedAsset>('GET', `/api/assets/${id}/`, { as: owner });
    expect(body).toMatchObject({ name: text, description: `${text}\n\t${text}\r\n` });
  });
});
