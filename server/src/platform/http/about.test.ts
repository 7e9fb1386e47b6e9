import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';

let silent: TestApi;
let reachable: TestApi;
beforeAll(async () => {
  silent = await openTestApi();
  reachable = await openTestApi({ CONTACT: 'mira@example.org' });
});
afterAll(async () => {
  await silent.close();
  await reachable.close();
});

it('anyone can read how to contact the operator', async () => {
  expect(await reachable.call('GET', '/api/about/')).toMatchObject({
    status: 200,
    body: { contact: 'mira@example.org' },
  });
});

it('the contact is null where none is set', async () => {
  expect(await silent.call('GET', '/api/about/')).toMatchObject({ status: 200, body: { contact: null } });
});
