import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { errorReply, fakeServer, type Received } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { serveLists } from '../../testing/records.ts';

beforeEach(prepareApp);
afterEach(cleanup);

const TARGETS = '/api/notifications/targets/';

const aTarget = (change: object = {}) => ({
  id: 4,
  format: 'slack',
  host: 'hooks.slack.com',
  kinds: ['sign_in'],
  amounts: false,
  created_at: '2026-11-01T10:00:00.000Z',
  off_since: null,
  ...change,
});

type Reply = Awaited<ReturnType<Parameters<typeof fakeServer>[0]>>;

/** Serves targets; `reply` answers other calls about them. */
function serve(results: object[], reply: () => Reply = () => ({ status: 204 })) {
  const lists = serveLists({});
  return fakeServer((request) => {
    if (!request.path.startsWith(TARGETS)) return lists(request);
    return request.method === 'GET' ? { status: 200, json: { results, next: null } } : reply();
  });
}
const writes = (received: Received[]) =>
  received.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body]);
async function openDialog(...given: Parameters<typeof serve>) {
  const received = serve(...given);
  const user = await openApp('/settings#targets');
  await user.click(await screen.findByRole('button', { name: 'Add' }));
  return { received, user, dialog: within(await screen.findByRole('dialog')) };
}

it('places that notifications go to can be turned on again, and removed after confirming', async () => {
  const received = serve(
    [aTarget(), aTarget({ id: 5, format: 'ntfy', host: 'ntfy.sh', off_since: '2026-11-04T10:00:00.000Z' })],
    () => ({ status: 200, json: aTarget() }),
  );
  const user = await openApp('/settings#targets');
  const items = within(await screen.findByRole('list', { name: 'Send elsewhere' })).getAllByRole('listitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/hooks\.slack\.com.*Slack, 1 kind/),
    expect.stringMatching(/ntfy\.sh.*Off: it failed for 3 days.*ntfy, 1 kind/),
  ]);
  await user.click(screen.getByRole('button', { name: 'Turn on' }));
  await user.click(screen.getByRole('button', { name: 'Remove hooks.slack.com' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Stop sending to hooks.slack.com?' }));
  await user.click(question.getByRole('button', { name: 'Remove' }));
  await expect
    .poll(() => writes(received))
    .toEqual([
      ['PATCH', `${TARGETS}5/`, { on: true }],
      ['DELETE', `${TARGETS}4/`, undefined],
    ]);
});

it('a place is added with the kinds that were chosen', async () => {
  const { received, user, dialog } = await openDialog([], () => ({
    status: 201,
    json: { ...aTarget(), secret: null },
  }));
  await user.type(dialog.getByLabelText('Address'), 'https://ntfy.sh/mine');
  await user.type(dialog.getByLabelText('Token, if it needs one'), 'tk_1');
  for (const name of ['People and access', 'Hours', 'Money']) await user.click(dialog.getByLabelText(name));
  await user.click(dialog.getByLabelText('Include amounts'));
  await user.click(dialog.getByRole('button', { name: 'Add' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(writes(received)).toEqual([
    [
      'POST',
      TARGETS,
      {
        format: 'ntfy',
        address: 'https://ntfy.sh/mine',
        token: 'tk_1',
        kinds: ['sign_in', 'password_changed', 'email_changed', 'target_off'],
        amounts: true,
      },
    ],
  ]);
});

it('the secret of a program is shown once', async () => {
  const { user, dialog } = await openDialog([], () => ({ status: 201, json: { ...aTarget(), secret: 's3cret' } }));
  await user.selectOptions(dialog.getByLabelText('To'), 'Your own program (JSON)');
  await user.type(dialog.getByLabelText('Address'), 'https://example.org/hook');
  await user.click(dialog.getByRole('button', { name: 'Add' }));
  expect((await dialog.findByLabelText<HTMLInputElement>('Secret that signs each request')).value).toBe('s3cret');
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  expect(screen.queryByDisplayValue('s3cret')).toBeNull();
});

it('what is wrong with an address is said, and what was typed stays', async () => {
  const { user, dialog } = await openDialog([], () =>
    errorReply(400, 'too_many_targets', 'You send to 10 places already. Remove one first.'),
  );
  await user.click(dialog.getByRole('button', { name: 'Add' }));
  expect(await dialog.findByText('Enter an address that starts with https://')).toBeTruthy();
  await user.type(dialog.getByLabelText('Address'), 'https://ntfy.sh/mine');
  await user.click(dialog.getByRole('button', { name: 'Add' }));
  expect(await dialog.findByText('You send to 10 places already. Remove one first.')).toBeTruthy();
  expect(dialog.getByDisplayValue('https://ntfy.sh/mine')).toBeTruthy();
});
