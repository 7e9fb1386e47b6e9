import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { serveLists } from '../../testing/records.ts';

beforeEach(prepareApp);
afterEach(cleanup);

const CALENDAR = '/api/me/calendar/';

/** Serves the calendar of a user, whose addresses are numbered. */
function serve(first: string | null = null) {
  const lists = serveLists({});
  let since = first;
  let made = 0;
  return fakeServer((request) => {
    if (request.path !== CALENDAR) return lists(request);
    if (request.method === 'GET') return { status: 200, json: { since } };
    if (request.method === 'DELETE') {
      since = null;
      return { status: 204 };
    }
    made += 1;
    since = `2026-11-0${made}T10:00:00.000Z`;
    return { status: 201, json: { since, address: `https://hours.example.org/api/calendar/${made}.ics` } };
  });
}
const open = async (...given: Parameters<typeof serve>) => {
  const received = serve(...given);
  const user = await openApp('/settings#calendar');
  const writes = () => received.filter(({ path, method }) => path === CALENDAR && method !== 'GET');
  return { user, writes };
};
const address = () => screen.findByLabelText<HTMLInputElement>('Address for your calendar app');
const press = async (user: Awaited<ReturnType<typeof open>>['user'], name: string) =>
  user.click(await screen.findByRole('button', { name }));

it('the calendar gets an address, which is shown once', async () => {
  const { user } = await open();
  await press(user, 'Make an address');
  expect((await address()).value).toBe('https://hours.example.org/api/calendar/1.ics');
  cleanup();
  await openApp('/settings#calendar');
  expect(await screen.findByText(/^In use since .*2026/)).toBeTruthy();
  expect(screen.queryByDisplayValue(/\.ics$/)).toBeNull();
});

it('the address is replaced and removed after confirming', async () => {
  const { user, writes } = await open('2026-10-01T10:00:00.000Z');
  await press(user, 'Replace');
  expect(writes()).toEqual([]);
  const replacing = within(await screen.findByRole('alertdialog', { name: 'Replace this address?' }));
  await user.click(replacing.getByRole('button', { name: 'Replace' }));
  expect((await address()).value).toMatch(/1\.ics$/);
  await press(user, 'Remove');
  const removing = within(await screen.findByRole('alertdialog', { name: 'Remove this address?' }));
  await user.click(removing.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByRole('button', { name: 'Make an address' })).toBeTruthy();
  expect(screen.queryByDisplayValue(/\.ics$/)).toBeNull();
  expect(writes().map(({ method }) => method)).toEqual(['POST', 'DELETE']);
});

it('the calendar can be loaded again after a failure', async () => {
  const lists = serveLists({});
  let fails = true;
  fakeServer((request) => {
    if (request.path !== CALENDAR) return lists(request);
    return fails ? errorReply(500, 'internal', 'Broken.') : { status: 200, json: { since: null } };
  });
  const user = await openApp('/settings#calendar');
  const banner = (await screen.findByText("Couldn't load the calendar.")).closest('div');
  fails = false;
  await user.click(within(banner?.parentElement ?? document.body).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Make an address' })).toBeTruthy();
});
