import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand, usageProblem } from './commands.ts';
import { deleteExpiredLinks } from './features/sign-ins/registration/service.ts';
import { sendDueMails } from './features/mail/service.ts';
import { requireSameSecret } from './features/installation/service.ts';
import type { Mail } from './platform/mail.ts';
import { StartupError } from './platform/startup-error.ts';
import { openTestApi, TEST_PASSWORD, type TestApi } from './testing/api.ts';

let api: TestApi;
let mira: SignedIn;
const logged: Record<string, unknown>[] = [];
beforeAll(async () => {
  api = await openTestApi({ APP_URL: 'https://hours.example.org' });
  api.deps.log = pino({}, { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) });
});
beforeEach(async () => {
  await api.reset();
  await requireSameSecret(api.deps.db, 'a secret that only tests know, 32+ characters', undefined);
  mira = await api.register('mira');
  logged.length = 0;
});
afterAll(() => api.close());

const tokenOf = (link: string) => link.split(/[/#]/).at(-1) ?? '';

async function run(...args: string[]): Promise<{ code: number; lines: string[]; errors: string[] }> {
  const outputs = runCommand(api.deps, args);
  const [lines, errors]: string[][] = [[], []];
  for (;;) {
    const { done, value } = await outputs.next();
    if (done) return { code: value, lines: lines!, errors: errors! };
    (value.isError ? errors : lines)!.push(value.text);
  }
}
const done = (...lines: string[]) => ({ code: 0, lines, errors: [] });
const refused = (error: string) => ({ code: 1, lines: [], errors: [error] });

const signIn = (username: string, password = TEST_PASSWORD) =>
  api.call<SignedIn>('POST', '/api/login/', { body: { username, password } });
const setPassword = (link: string | undefined, password: string) =>
  api.call('POST', '/api/password-reset/confirm/', {
    body: { token: link?.replace(/^.*#/, ''), password },
  });
/** Gives a person without an account access to one of Mira's assets. */
async function addPerson(): Promise<void> {
  const { id } = await api.addAsset(mira);
  const body = { name: 'Grandma', monthly_hours_allocated: 5 };
  expect((await api.call('POST', `/api/assets/${id}/people/`, { as: mira, body })).status).toBe(201);
}
const NO_MAIL = 'No mail server is set; set SMTP_URL and MAIL_FROM, and restart the server.';
/** Receives the messages of this test. */
function receiveMail(): Mail[] {
  const sent: Mail[] = [];
  api.deps.mailer = { send: async (mail) => void sent.push(mail) };
  onTestFinished(() => {
    api.deps.mailer = undefined;
  });
  return sent;
}
const LINK = /^https:\/\/hours\.example\.org\/reset-password#[\w-]{43,44}$/;
const DISABLED = {
  status: 403,
  body: { code: 'account_disabled', error: 'This account is disabled. Contact the administrator of this server.' },
};

it.each([[], ['tidy'], ['toString']])('prints the usage of all commands for %j', (...args: string[]) => {
  const names =
    'users create invite change-email test-mail reset-password disable enable delete registration events stats backup restore copy-database verify';
  const usage = usageProblem(args, 'hourshare admin');
  for (const name of names.split(' ')) expect(usage).toContain(`hourshare admin ${name} `);
  expect(usage?.split('\n')[0]).toMatch(
    args[0] === undefined ? /^hourshare admin users / : `${args[0]}: no such command`,
  );
});

it.each([
  ['verify', '--all'],
  ['verify', 'all'],
  ['stats', '--yes'],
  ['events', '--since'],
  ['events', '--yes'],
  ['disable'],
  ['create', 'ben'],
  ['delete', 'mira', 'ben'],
  ['backup'],
  ['restore', 'file', '--yes'],
  ['copy-database'],
])('prints the usage of the command for %j', (...args: string[]) => {
  const lines = usageProblem(args, 'hourshare admin')?.split('\n') ?? [];
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(new RegExp(`^hourshare admin ${args[0]} .*[a-z]`));
});

describe('users', () => {
  it('lists accounts with their use, but no people without an account', async () => {
    await addPerson();
    await api.register('ben');
    expect((await run('disable', 'BEN')).code).toBe(0);
    const { code, lines } = await run('users');
    expect([code, lines.map((line) => line.split(/ {2,}/))]).toEqual([
      0,
      [
        ['USERNAME', 'CREATED', 'LAST USED', 'ASSETS', 'DISABLED', 'EMAIL'],
        ['mira', '2026-03-10', '2026-03-10', '1', 'no', 'mira@example.org'],
        ['ben', '2026-03-10', '2026-03-10', '0', 'yes', 'ben@example.org'],
      ],
    ]);
  });

  it('prints lines of JSON', async () => {
    expect((await run('users', 'mira', '--json')).lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        username: 'mira',
        administrator: false,
        email: 'mira@example.org',
        created_at: '2026-03-10T12:00:00.000Z',
        last_used_at: '2026-03-10T12:00:00.000Z',
        assets: 0,
        disabled: false,
      },
    ]);
  });

  it('finds parts of names and addresses ignoring case, and treats no character as a pattern', async () => {
    await api.register('mi_ra');
    expect((await run('users', 'MIRA@')).lines).toHaveLength(2);
    expect((await run('users', 'i_r')).lines).toHaveLength(2);
    expect((await run('users', '%')).lines).toHaveLength(1);
  });
});

describe('create', () => {
  it('creates an account that can only be signed in to with the link', async () => {
    const { code, lines } = await run('create', 'ben', 'ben@example.org');
    expect([code, lines]).toEqual([0, [expect.stringContaining('Created ben.'), expect.stringMatching(LINK)]]);
    expect((await signIn('ben')).status).toBe(401);
    expect((await setPassword(lines[1], 'a walnut on the stairs')).status).toBe(204);
    expect((await signIn('ben', 'a walnut on the stairs')).status).toBe(200);
  });

  it('prints a link that works for some days', async () => {
    const { lines } = await run('create', 'ben', 'ben@example.org', '--days', '7');
    expect(lines[0]).toBe('Created ben. This link to set the password works once, for 7 days:');
    api.clock.advance(7 * 24 * 3_600_000 - 1000);
    expect((await setPassword(lines[1], 'a walnut on the stairs')).status).toBe(204);
    for (const days of ['0', '31', '1.5', 'x'])
      expect(await run('create', 'cleo', 'cleo@example.org', '--days', days)).toEqual(
        refused('--days must be a whole number from 1 to 30.'),
      );
  });

  it('sends the link by email', async () => {
    expect(await run('create', 'ben', 'ben@example.org', '--mail')).toEqual(refused(NO_MAIL));
    expect((await run('users')).lines).toHaveLength(2);
    const sent = receiveMail();
    expect(await run('create', 'ben', 'Ben@example.org', '--mail')).toEqual(
      done('Created ben. The link to set the password is on its way to Ben@example.org.'),
    );
    api.clock.advance(3_600_000);
    await sendDueMails(api.deps);
    expect(sent).toMatchObject([{ to: 'Ben@example.org', subject: 'Your HourShare account' }]);
    expect(sent[0]?.text).toContain('https://hours.example.org has created an account for you. Your username is ben.');
    expect(sent[0]?.text).toContain('The link works once, for 7 days.');
    api.clock.advance(7 * 24 * 3_600_000 - 1000);
    const link = /https:\S+#\S+/.exec(sent[0]?.text ?? '')?.[0];
    expect((await setPassword(link, 'a walnut on the stairs')).status).toBe(204);
    expect((await signIn('ben', 'a walnut on the stairs')).status).toBe(200);
  });

  it('works while registration is closed', async () => {
    expect((await run('registration', 'closed')).code).toBe(0);
    expect((await run('create', 'ben', 'ben@example.org')).code).toBe(0);
  });

  it.each([
    ['MIRA', 'ben@example.org', 'This username is already taken'],
    ['ben', 'Mira@example.org', 'This email address is already in use'],
    ['a b', 'ben@example.org', 'Username must be 3 to 30 characters: letters, numbers, dots, underscores, or hyphens'],
    ['ben', 'ben', 'Enter a valid email address'],
  ])('refuses %s %s', async (username, email, error) => {
    expect(await run('create', username, email)).toEqual(refused(error));
    expect((await run('users')).lines).toHaveLength(2);
  });
});

describe('invite', () => {
  const register = (username: string, invitation?: string) =>
    api.call('POST', '/api/register/', {
      body: { username, email: `${username}@example.org`, password: TEST_PASSWORD, invitation },
    });

  it('prints a link with which one person may register, which a taken name does not use up', async () => {
    await run('registration', 'invited');
    const { code, lines } = await run('invite');
    expect([code, lines]).toEqual([
      0,
      [
        'One person can create an account with this link, within 7 days:',
        expect.stringMatching(/^https:\/\/hours\.example\.org\/register#[\w-]{43,44}$/),
      ],
    ]);
    const token = tokenOf(lines[1] ?? '');
    expect((await register('ben')).body).toMatchObject({ code: 'invitation_required' });
    expect((await register('mira', token)).body).toMatchObject({ code: 'username_taken' });
    expect((await api.call('GET', `/api/invitations/${token}/`)).status).toBe(404);
    const answers = await Promise.all(['ben', 'cleo'].map((username) => register(username, token)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 404]);
    expect(await api.deps.db.selectFrom('registration_links').selectAll().execute()).toEqual([]);
  });

  it('prints one that works until it expires, is then deleted, and not while registration is closed', async () => {
    const { lines } = await run('invite', '--days', '2');
    api.clock.advance(2 * 24 * 3_600_000);
    expect((await register('ben', tokenOf(lines[1] ?? ''))).body).toMatchObject({ code: 'invitation_not_found' });
    await deleteExpiredLinks(api.deps);
    expect(await api.deps.db.selectFrom('registration_links').selectAll().execute()).toEqual([]);
    await run('registration', 'closed');
    expect(await run('invite')).toEqual(
      refused('Registration is closed; with "registration invited", people with such a link may register.'),
    );
  });
});

describe('change-email', () => {
  it('changes the address, tells the old one, and voids links that it may have got', async () => {
    const sent = receiveMail();
    const before = (await run('reset-password', 'mira')).lines[1];
    expect(await run('change-email', 'MIRA', 'new@example.org')).toEqual(
      done('The email address of mira is now new@example.org.'),
    );
    await sendDueMails(api.deps);
    expect(sent).toMatchObject([{ to: 'mira@example.org', subject: 'Your HourShare email address was changed' }]);
    expect((await setPassword(before, 'a walnut on the stairs')).status).toBe(400);
    expect((await api.call('GET', '/api/me/', { as: mira })).body).toMatchObject({ email: 'new@example.org' });
    expect(logged).toContainEqual(expect.objectContaining({ event: 'email_changed', network: 'local' }));
  });

  it.each([
    ['ben@EXAMPLE.org', 'This email address is already in use'],
    ['ben', 'Enter a valid email address'],
  ])('refuses %s', async (email, error) => {
    await api.register('ben');
    expect(await run('change-email', 'mira', email)).toEqual(refused(error));
    expect((await api.call('GET', '/api/me/', { as: mira })).body).toMatchObject({ email: 'mira@example.org' });
  });
});

describe('test-mail', () => {
  it('sends a message at once, or says what the mail server answered', async () => {
    expect(await run('test-mail', 'ben@example.org')).toEqual(refused(NO_MAIL));
    const sent = receiveMail();
    const text =
      "The mail server accepted a message to ben@example.org. If it doesn't arrive, look into the spam folder.";
    expect(await run('test-mail', 'ben@example.org')).toEqual(done(text));
    expect(sent).toMatchObject([{ to: 'ben@example.org', text: expect.stringContaining('https://hours.example.org') }]);
    expect(await run('test-mail', 'ben')).toEqual(refused('Enter a valid email address.'));
    api.deps.mailer = { send: () => Promise.reject(new Error('Invalid login: 535 5.7.8 Wrong password')) };
    expect(await run('test-mail', 'ben@example.org')).toEqual(
      refused("The mail server didn't accept the message: Invalid login: 535 5.7.8 Wrong password"),
    );
  });
});

describe('reset-password', () => {
  it('prints a link that works once, for 30 minutes, and changes nothing until then', async () => {
    const { code, lines } = await run('reset-password', 'Mira');
    expect([code, lines[1]]).toEqual([0, expect.stringMatching(LINK)]);
    expect((await signIn('mira')).status).toBe(200);
    api.clock.advance(29 * 60_000);
    expect((await setPassword(lines[1], 'a walnut on the stairs')).status).toBe(204);
    expect((await setPassword(lines[1], 'another walnut there')).status).toBe(400);
    const late = (await run('reset-password', 'mira')).lines[1];
    api.clock.advance(30 * 60_000);
    expect((await setPassword(late, 'another walnut there')).status).toBe(400);
    expect(JSON.stringify(logged)).not.toContain(lines[1]?.replace(/^.*#/, ''));
  });

  it.each(['nobody', 'Grandma (mira)', "'; drop table users", '\0'])('finds no account %j', async (name) => {
    await addPerson();
    for (const args of [['reset-password'], ['disable'], ['enable'], ['delete'], ['change-email', 'a@example.org']]) {
      const [command = '', ...rest] = args;
      expect(await run(command, name, ...rest)).toEqual(refused(`No account has the username ${name}.`));
    }
  });
});

describe('disable', () => {
  it('ends all sign-ins at once, and says why only to someone with the password', async () => {
    const phone = (await signIn('mira')).body;
    expect(await run('disable', 'mira')).toEqual(done('Disabled mira; 2 sign-ins ended.'));
    for (const { access, refresh } of [mira, phone]) {
      expect((await api.call('GET', '/api/me/', { token: access })).status).toBe(401);
      expect((await api.call('POST', '/api/token/refresh/', { body: { refresh } })).status).toBe(401);
    }
    expect(await signIn('mira')).toMatchObject(DISABLED);
    const wrong = await signIn('mira', 'not the password');
    expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    expect(wrong.body).toEqual((await signIn('nobody')).body);
    expect(await run('disable', 'mira')).toEqual(done('Disabled mira; 0 sign-ins ended.'));
    expect(await run('enable', 'mira')).toEqual(done('Enabled mira.'));
    expect((await signIn('mira')).status).toBe(200);
  });

  it('voids links that were requested before, and sets no new password with them', async () => {
    const before = (await run('reset-password', 'mira')).lines[1];
    await run('disable', 'mira');
    expect((await setPassword(before, 'a walnut on the stairs')).status).toBe(400);
    const after = (await run('reset-password', 'mira')).lines[1];
    expect((await setPassword(after, 'a walnut on the stairs')).status).toBe(204);
    expect(await signIn('mira', 'a walnut on the stairs')).toMatchObject(DISABLED);
  });

  it('ends the links that the account gave out, and no others', async () => {
    const ben = await api.register('ben');
    const links: string[] = [];
    for (const owner of [mira, ben]) {
      const asset = await api.addAsset(owner);
      const path = `/api/assets/${asset.id}`;
      const person = await api.call<OwnedAsset>('POST', `${path}/people/`, {
        as: owner,
        body: { name: 'Grandma', monthly_hours_allocated: 5 },
      });
      const invited = await api.call<{ invitation: { link: string } }>('POST', `${path}/invitations/`, {
        as: owner,
        body: { monthly_hours_allocated: 5 },
      });
      const share = person.body.shared_with[0]?.id;
      const claim = await api.call<{ claim: { link: string } }>('POST', `${path}/share/${share}/claim/`, {
        as: owner,
        body: {},
      });
      links.push(
        `/api/invitations/${tokenOf(invited.body.invitation.link)}/`,
        `/api/claims/${tokenOf(claim.body.claim.link)}/`,
      );
    }
    const statuses = () => Promise.all(links.map(async (link) => (await api.call('GET', link)).status));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await run('disable', 'mira');
    expect(await statuses()).toEqual([404, 404, 200, 200]);
  });

  it('ends active sessions at once, and keeps shares and assets', async () => {
    const ben = await api.register('ben');
    const cleo = await api.register('cleo');
    const asset = await api.addAsset(mira);
    const [shareOfBen, shareOfCleo] = [await api.share(mira, asset, ben), await api.share(mira, asset, cleo)];
    for (const [as, { id }] of [
      [ben, shareOfBen],
      [cleo, shareOfCleo],
    ] as const)
      expect((await api.call('POST', `/api/shared-assets/${id}/start/`, { as })).status).toBe(201);
    api.clock.advance(3_600_000);
    await run('disable', 'ben');
    await run('disable', 'mira');
    api.clock.advance(3_600_000);
    await run('enable', 'ben');
    const again = (await signIn('ben')).body;
    const { body } = await api.call<{ results: SharedAsset[] }>('GET', '/api/shared-assets/', { as: again });
    expect(body.results).toMatchObject([{ id: shareOfBen.id, active_session: false, current_usage: 1 }]);
    const sessions = await api.deps.db.selectFrom('sessions').select('ended_at').orderBy('id').execute();
    expect(sessions.map(({ ended_at: end }) => end)).toEqual([new Date('2026-03-10T13:00:00Z'), null]);
  });

  it.each([
    ['password', 'POST', '/api/me/password/', { new_password: 'a walnut on the stairs' }],
    ['email address', 'PATCH', '/api/me/', { email: 'other@example.org' }],
  ])('refuses a change of %s that was under way', async (_what, method, path, change) => {
    const read = () => api.deps.db.selectFrom('users').select(['email', 'password_hash']).execute();
    const before = await read();
    const { passwords } = api.deps;
    api.deps.passwords = {
      ...passwords,
      async matches(...given) {
        const matched = await passwords.matches(...given);
        await run('disable', 'mira');
        return matched;
      },
    };
    const body = { ...change, current_password: TEST_PASSWORD };
    const { status } = await api.call(method, path, { as: mira, body });
    api.deps.passwords = passwords;
    expect([status, await read()]).toEqual([401, before]);
  });

  it('lets no sign-in through that runs at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      await run('enable', 'mira');
      await Promise.all([signIn('mira'), run('disable', 'mira'), signIn('mira')]);
      const open = await api.deps.db.selectFrom('sign_ins').select('id').where('ended_at', 'is', null).execute();
      expect(open).toEqual([]);
    }
  });
});

describe('delete', () => {
  it('prints what would be deleted, and deletes only with --yes', async () => {
    const ben = await api.register('ben');
    await api.billedAsset(mira, ben, '2026-02');
    await api.addAsset(ben);
    expect(await run('delete', 'ben')).toEqual({
      code: 1,
      errors: [],
      lines: [
        'Deleting ben deletes 1 asset, and ends access to 1 asset of others.',
        'Open months are billed up to now. Statements and payments of others stay, with the name; --hide-name hides it.',
        'ben owes mira 5 USD.',
        'Nothing was deleted. To delete it, run the same with --yes.',
      ],
    });
    expect((await run('delete', 'mira')).lines).toContain('ben owes mira 5 USD.');
    expect((await signIn('ben')).status).toBe(200);
    expect(await run('delete', 'ben', '--yes')).toEqual(done('Deleted ben.'));
    expect((await signIn('ben')).status).toBe(401);
    const { body } = await api.call<{ results: unknown[] }>('GET', '/api/balances/', { as: mira });
    expect(body.results).toMatchObject([{ username: 'ben', account_deleted: true, they_owe: 5 }]);
    expect(await run('delete', 'ben', '--yes')).toEqual(refused('No account has the username ben.'));
    expect((await run('create', 'ben', 'ben@example.org')).code).toBe(1);
  });

  it('hides the name from others with --hide-name, so that it can be used again', async () => {
    const ben = await api.register('ben');
    await api.billedAsset(mira, ben, '2026-02');
    expect((await run('delete', 'ben', '--hide-name')).lines).toContain(
      'Open months are billed up to now. Statements and payments of others stay, without the name.',
    );
    expect(await run('delete', 'ben', '--yes', '--hide-name')).toEqual(done('Deleted ben.'));
    const { body } = await api.call<{ results: unknown[] }>('GET', '/api/balances/', { as: mira });
    expect(body.results).toMatchObject([{ username: `Deleted user ${ben.user.id}`, account_deleted: true }]);
    expect((await run('create', 'ben', 'ben@example.org')).code).toBe(0);
  });

  it('frees a name that no one else has seen', async () => {
    for (let round = 0; round < 2; round += 1) {
      expect((await run('create', 'typo', 'typo@example.org')).code).toBe(0);
      expect(await run('delete', 'typo', '--yes')).toEqual(done('Deleted typo.'));
    }
    const typo = await api.register('typo');
    await api.addAsset(typo);
    await run('delete', 'typo', '--yes');
    expect((await api.register('typo')).user.username).toBe('typo');
  });
});

describe('registration', () => {
  const about = async (server = api) =>
    (await server.call<{ registration: string }>('GET', '/api/about/')).body.registration;

  it('takes effect at once, and lasts', async () => {
    expect(await run('registration')).toEqual(done('Registration is open.'));
    expect(await run('registration', 'closed')).toEqual(done('Registration is closed.'));
    expect(await about()).toBe('closed');
    const body = { username: 'ben', email: 'ben@example.org', password: TEST_PASSWORD };
    expect((await api.call('POST', '/api/register/', { body })).body).toMatchObject({ code: 'registration_closed' });
    expect(await run('registration', 'invited')).toEqual(done('Registration is invited.'));
    expect((await api.call('POST', '/api/register/', { body })).body).toMatchObject({ code: 'invitation_required' });
    expect(await run('registration', 'open')).toEqual(done('Registration is open.'));
    expect((await api.call('POST', '/api/register/', { body })).status).toBe(201);
  });

  it('accepts only three values', async () => {
    expect(await run('registration', 'none')).toEqual(refused('Registration must be open, invited, or closed.'));
    expect(await about()).toBe('open');
  });

  it('is the setting of the server if there is one', async () => {
    await run('registration', 'closed');
    api.deps.config.REGISTRATION = 'invited';
    try {
      expect(await about()).toBe('invited');
      expect(await run('registration')).toEqual(done('Registration is invited, by the setting REGISTRATION.'));
      expect(await run('registration', 'open')).toEqual(
        refused('The setting REGISTRATION is invited and decides; unset it first, and restart the server.'),
      );
    } finally {
      api.deps.config.REGISTRATION = undefined;
    }
    expect(await about()).toBe('closed');
  });
});

it('stats prints totals of what is in the database', async () => {
  const ben = await api.register('ben');
  const { id } = await api.share(mira, await api.addAsset(mira), ben);
  const session = (verb: string) => api.call('POST', `/api/shared-assets/${id}/${verb}/`, { as: ben });
  await session('start');
  api.clock.advance(60_000);
  await session('end');
  api.clock.now = new Date('2026-04-01T00:00:00Z');
  await session('start');
  await api.billedAsset(mira, ben, '2026-02');
  await run('disable', 'mira');
  const { code, lines } = await run('stats');
  expect([code, ...lines.slice(0, 6)]).toEqual([
    0,
    'Accounts:             2, 1 of them disabled',
    'People without one:   0',
    'Assets:               2',
    'Running sessions:     1',
    'Sessions this month:  1',
    'Closed statements:    1',
  ]);
  expect(lines.slice(6)).toEqual([
    expect.stringMatching(/^Database: {13}\d+\.\d MB$/),
    expect.stringMatching(/^Newest migration: {5}\d{4}-[a-z-]+$/),
    'Daily backup:         none yet',
  ]);
});

it('logs each command with the account it was about, its exit code, and nothing that was typed', async () => {
  await run('disable', 'mira');
  await run('enable', 'secret-typed-here');
  await run('users', 'secret-typed-here');
  expect(logged).toMatchObject([
    { event: 'account_disabled', user_id: mira.user.id, network: 'local' },
    { event: 'sign_ins_ended', user_id: mira.user.id, network: 'local', reason: 'disabled', count: 1 },
    { event: 'admin_command', user_id: mira.user.id, network: 'local', command: 'disable', code: 0 },
    { event: 'admin_command', user_id: null, network: 'local', command: 'enable', code: 1 },
    { event: 'admin_command', user_id: null, network: 'local', command: 'users', code: 0 },
  ]);
  expect(JSON.stringify(logged)).not.toContain('secret-typed-here');
});

it.each([
  [new StartupError("Can't keep the secret in DATA_DIR."), "Can't keep the secret in DATA_DIR."],
  [
    Object.assign(new Error('the disk is full'), { code: '53100' }),
    'The database is unavailable (the disk is full); check that it is running and that its disk has space, then run this again.',
  ],
  [new Error('a defect'), 'The command failed; the log says why.'],
])('says what can be done about %s', async (error, text) => {
  const { db } = api.deps;
  const failing = {
    get: () => {
      throw error;
    },
  };
  api.deps.db = new Proxy(db, failing);
  try {
    expect(await run('stats')).toEqual(refused(text));
  } finally {
    api.deps.db = db;
  }
});

it('logs no exit code if the client hangs up before the end', async () => {
  for await (const { text } of runCommand(api.deps, ['disable', 'mira'])) {
    expect(text).toContain('Disabled mira');
    break;
  }
  expect(await signIn('mira')).toMatchObject(DISABLED);
  expect(logged.find(({ event }) => event === 'admin_command')).not.toHaveProperty('code');
});
