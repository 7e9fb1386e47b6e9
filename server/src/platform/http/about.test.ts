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

it('anybody is told how to reach whoever runs the server', async () => {
  expect(await reachable.call('GET', '/api/about/')).toMatchObject({
    status: 200,
    body: { contact: 'mira@example.org' },
  });
});

it('nobody is told anything where no contact is set', async () => {
  expect(await silent.call('GET', '/api/about/')).toMatchObject({ status: 200, body: { contact: null } });
});
