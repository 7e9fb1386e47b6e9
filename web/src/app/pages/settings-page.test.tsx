import { NOTICE_DEFAULTS, NoticeKind, type NoticeChoice } from '@hourshare/contract/notifications';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setLanguage } from '../../platform/i18n/language.ts';
import { loadMessages } from '../../platform/i18n/messages.ts';
import { aUser, errorReply, fakeServer } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { serveLists } from '../../testing/records.ts';

beforeEach(prepareApp);
afterEach(cleanup);
afterEach(() => setLanguage('en'));

it('the settings page shows a read-only username and email, and two checkboxes', async () => {
  fakeServer(serveLists({}));
  await openApp('/settings');
  const username = await screen.findByLabelText<HTMLInputElement>('Username');
  const email = screen.getByLabelText<HTMLInputElement>('Email');
  expect([username.value, username.readOnly]).toEqual(['mira', true]);
  expect([email.value, email.readOnly]).toEqual(['mira@example.org', true]);
  const group = await screen.findByRole('group', { name: 'Notifications' });
  expect(within(group).getAllByRole('checkbox')).toEqual([
    screen.getByLabelText('Email notifications'),
    screen.getByLabelText('Usage reminders'),
  ]);
  expect(screen.getByText('Weekly summaries')).toBeTruthy();
});

const about = (mail: boolean) => ({
  contact: null,
  registration: 'open',
  passkey_origin: null,
  providers: [],
  mail,
});

it("the settings page says that the server doesn't send email", async () => {
  const lists = serveLists({});
  fakeServer((request) => (request.path === '/api/about/' ? { status: 200, json: about(false) } : lists(request)));
  await openApp('/settings');
  const group = await screen.findByRole('group', { name: 'Notifications' });
  expect(within(group).getAllByRole('checkbox')).toHaveLength(2);
  await waitFor(() => {
    const description = document.getElementById(group.getAttribute('aria-describedby') ?? '');
    expect(description?.textContent).toContain("This server doesn't send email yet.");
  });
});

it.each([
  ['/settings', false],
  ['/profile#your-data', true],
])('at %s, what few people need is open: %s', async (address, isOpen) => {
  fakeServer(serveLists({}));
  await openApp(address);
  const advanced = (await screen.findByText('Advanced')).closest('details');
  await waitFor(() => expect(advanced?.open).toBe(isOpen));
  expect(within(advanced!).getByText('Your data').closest('details')?.open).toBe(isOpen);
});

it('the settings speak the language of the page', async () => {
  fakeServer(serveLists({}));
  setLanguage('de');
  await loadMessages('app');
  await openApp('/settings');
  expect(await screen.findByRole('heading', { name: 'Einstellungen' })).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Benutzername').value).toBe('mira');
  const theme = within(screen.getByRole('group', { name: 'Design' }));
  expect(theme.getAllByRole('radio').map((radio) => radio.parentElement?.textContent)).toEqual([
    'System',
    'Hell',
    'Dunkel',
  ]);
});

it('a language is saved in the account and on this device, and can be reset', async () => {
  const lists = serveLists({});
  const received = fakeServer((request) =>
    request.path === '/api/me/' && request.method === 'PATCH'
      ? { status: 200, json: { ...aUser, ...(request.body as object) } }
      : lists(request),
  );
  const user = await openApp('/settings');
  const select = await screen.findByLabelText<HTMLSelectElement>('Language');
  expect(select.value).toBe('browser');
  await user.selectOptions(select, 'English');
  await screen.findByText('Saved.');
  expect(localStorage.getItem('hourshare_language')).toBe('en');
  await user.selectOptions(select, 'Same as the browser');
  await waitFor(() => expect(localStorage.getItem('hourshare_language')).toBeNull());
  expect(received.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
    { language: 'en' },
    { language: null },
  ]);
});

it("a language that couldn't be saved isn't chosen", async () => {
  const lists = serveLists({});
  fakeServer((request) => (request.method === 'PATCH' ? errorReply(500, 'internal', 'Broken.') : lists(request)));
  const user = await openApp('/settings');
  await user.selectOptions(await screen.findByLabelText('Language'), 'Deutsch');
  expect(await screen.findByText("Couldn't save that setting. Please try again.")).toBeTruthy();
  expect(screen.getByLabelText<HTMLSelectElement>('Language').value).toBe('browser');
  expect(localStorage.getItem('hourshare_language')).toBeNull();
});

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

it.each(['before', 'after'])(
  'a saved setting stays when an older read of the user returns %s the save',
  async (order) => {
    const [read, save] = [gate(), gate()];
    const lists = serveLists({});
    fakeServer(async (request) => {
      if (request.path !== '/api/me/') return lists(request);
      if (request.method === 'GET') {
        await read.opened;
        return { status: 200, json: aUser };
      }
      await save.opened;
      return { status: 200, json: { ...aUser, ...(request.body as object) } };
    });
    const user = await openApp('/settings');
    await user.click(await screen.findByLabelText('Email notifications'));
    const isChecked = () => screen.getByLabelText<HTMLInputElement>('Email notifications').checked;
    expect(isChecked()).toBe(false);

    const [first, second] = order === 'before' ? [read, save] : [save, read];
    await act(async () => first.open());
    await act(async () => second.open());
    await screen.findByText('Saved.');
    expect(isChecked()).toBe(false);
  },
);

it("shows the account's language, which needn't be the device's choice", async () => {
  const french = { ...aUser, language: 'fr' };
  const lists = serveLists({});
  fakeServer((request) => (request.path === '/api/me/' ? { status: 200, json: french } : lists(request)));
  await openApp('/settings');
  const language = await screen.findByLabelText<HTMLSelectElement>('Language');
  await waitFor(() => expect(language.value).toBe('fr'));
});

it('a notification choice is saved at once, and rolled back if the server rejects it', async () => {
  let works = true;
  const choice = { kind: 'session_edited', bell: true, mail: false, push: false, mail_always: false };
  const fixed = { ...choice, kind: 'password_changed', mail_always: true };
  const lists = serveLists({});
  const received = fakeServer((request) => {
    if (request.path === '/api/about/') return { status: 200, json: about(true) };
    if (request.path !== '/api/notifications/choices/') return lists(request);
    if (request.method === 'PATCH' && !works) return errorReply(500, 'internal', 'Broken.');
    return { status: 200, json: { results: [choice, fixed], next: null } };
  });
  const user = await openApp('/settings');
  await screen.findByLabelText('Session edited: Email');
  const push = await screen.findByLabelText<HTMLInputElement>('Session edited: Push');
  await user.click(push);
  await waitFor(() => expect(received.some(({ method }) => method === 'PATCH')).toBe(true));
  expect(received.find(({ method }) => method === 'PATCH')?.body).toEqual({
    choices: [{ kind: 'session_edited', push: true }],
  });
  const always = screen.getByLabelText<HTMLInputElement>('Password changed: Email');
  expect([always.checked, always.disabled]).toEqual([true, true]);
  works = false;
  const bell = screen.getByLabelText<HTMLInputElement>('Session edited: Bell');
  await user.click(bell);
  await screen.findByText("Couldn't save that setting. Please try again.");
  await waitFor(() => expect(bell.checked).toBe(true));
});

it('three levels choose every kind, and one press changes a group', async () => {
  let choices: NoticeChoice[] = NoticeKind.options.map((kind) => ({
    kind,
    ...NOTICE_DEFAULTS[kind],
    mail_always: kind === 'password_changed' || kind === 'email_changed',
  }));
  const lists = serveLists({});
  const received = fakeServer((request) => {
    if (request.path !== '/api/notifications/choices/') return lists(request);
    if (request.method === 'PATCH') {
      const changed = (request.body as { choices: NoticeChoice[] }).choices;
      choices = choices.map((choice) => ({ ...choice, ...changed.find(({ kind }) => kind === choice.kind) }));
    }
    return { status: 200, json: { results: choices, next: null } };
  });
  const user = await openApp('/settings');
  const level = (name: string) => screen.findByRole<HTMLInputElement>('radio', { name });
  await waitFor(async () => expect((await level('Important')).checked).toBe(true));
  const saves = () => received.filter(({ method }) => method === 'PATCH').length;

  await user.click(await level('Nothing'));
  await waitFor(() => expect(saves()).toBe(1));
  // What protects the account is mailed all the same.
  expect(choices.filter(({ bell, mail, push }) => bell || mail || push).map(({ kind }) => kind)).toEqual([
    'password_changed',
    'email_changed',
  ]);

  await user.click(await level('Customize'));
  const group = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Money: Push' });
  expect([group.checked, group.indeterminate]).toEqual([false, false]);
  await user.click(await screen.findByRole('checkbox', { name: 'Price changed: Push' }));
  await waitFor(() => expect(group.indeterminate).toBe(true));
  await user.click(group);
  await waitFor(() => expect(group.checked).toBe(true));
  await waitFor(() => expect(saves()).toBe(3));
  expect(choices.filter(({ push }) => push).map(({ kind }) => kind)).toEqual([
    ...(['price_changed', 'terms_changed', 'cost', 'renewal', 'month_closing', 'statement_ready'] as const),
    ...(['payment_sent', 'payment_confirmed', 'payment_undone', 'balance_old'] as const),
  ]);
});
