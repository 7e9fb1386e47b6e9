import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { openTestMailServer, type TestMailServer } from '../../../testing/smtp.ts';
import { disableAccount } from '../../accounts/administration/service.ts';
import { sendDueMails } from '../../mail/service.ts';
import { closeDuePeriods } from '../../statements/closing/service.ts';
import { queueMonthlyReminders, queueWeeklyReminders } from './service.ts';
import { readRunning, readWeek, usersWithStatements } from './store.ts';

let smtp: TestMailServer;
let api: TestApi;
beforeAll(async () => {
  smtp = await openTestMailServer();
  api = await openTestApi({ SMTP_URL: smtp.url, MAIL_FROM: 'hours@example.org', APP_URL: 'https://hours.example.org' });
});
beforeEach(async () => {
  await api.reset();
  smtp.received.length = 0;
});
afterAll(async () => {
  await api.close();
  await smtp.close();
});

const HOUR = 3_600_000;

/** Lets several servers look for due reminders at an instant, and returns what was sent. */
async function sentAt(instant: string) {
  api.clock.advance(Date.parse(instant) - api.clock.now.getTime());
  await Promise.all([queueWeeklyReminders(api.deps), queueWeeklyReminders(api.deps)]);
  await Promise.all([queueMonthlyReminders(api.deps), queueMonthlyReminders(api.deps)]);
  await sendDueMails(api.deps);
  return smtp.received
    .splice(0)
    .map(({ recipients, parsed }) => ({ to: recipients[0], subject: parsed.subject, text: parsed.text ?? '' }))
    .toSorted((one, other) => String(one.to).localeCompare(String(other.to)));
}

it('sends the week on Monday at 8:00 in the time zone of each person, also after a clock change', async () => {
  const [ana, ben, zoe] = [await api.register('ana'), await api.register('ben'), await api.register('zoe')];
  await api.call('PATCH', '/api/me/', { as: ana, body: { time_zone: 'Europe/Berlin' } });
  await api.call('PATCH', '/api/me/', { as: ben, body: { time_zone: 'America/New_York', usage_reminders: true } });
  for (const user of [ana, zoe]) await api.call('PATCH', '/api/me/', { as: user, body: { usage_reminders: true } });
  const share = await api.share(ana, await api.addAsset(ana), ben, 10);
  api.clock.advance(Date.parse('2026-03-25T10:00:00Z') - api.clock.now.getTime());
  await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: ben });
  api.clock.advance(2.5 * HOUR);
  await api.call('POST', `/api/shared-assets/${share.id}/end/`, { as: ben });
  api.clock.advance(Date.parse('2026-03-30T05:00:00Z') - api.clock.now.getTime());
  await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: ben });
  // Summer time began in Berlin on Sunday, and in New York three weeks before.
  expect(await sentAt('2026-03-30T05:59:00Z')).toEqual([]);
  const [berlin, ...others] = await sentAt('2026-03-30T06:00:00Z');
  expect(others).toEqual([]);
  expect(berlin).toMatchObject({ to: 'ana@example.org', subject: 'Your week on HourShare' });
  expect(berlin?.text).toContain('March 23 to March 29:\nNetflix Premium, all members: 2.5 hours');
  expect(berlin?.text).toContain('Your costs so far in March 2026:\nNetflix Premium: $');
  expect(berlin?.text).toMatch(/Still running:\nNetflix Premium, ben: since Mon, Mar 30/);
  expect(await sentAt('2026-03-30T11:59:00Z')).toEqual([]);
  const [newYork, ...more] = await sentAt('2026-03-30T12:00:00Z');
  expect(more).toEqual([]);
  expect(newYork?.to).toBe('ben@example.org');
  expect(newYork?.text).toContain('Netflix Premium: 2.5 hours');
  expect(await sentAt('2026-03-31T12:00:00Z')).toEqual([]);
});

it('sends the statements of a month once, when the last asset has closed it', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  for (const user of [ana, ben]) await api.call('PATCH', '/api/me/', { as: user, body: { usage_reminders: true } });
  for (const [name, zone] of [
    ['Sauna', 'Asia/Tokyo'],
    ['Tent', 'America/Los_Angeles'],
  ])
    await api.share(ana, await api.addAsset(ana, { name, time_zone: zone, split_method: 'equal' }), ben);
  api.clock.advance(Date.parse('2026-04-03T20:00:00Z') - api.clock.now.getTime());
  await closeDuePeriods(api.deps);
  expect(await sentAt('2026-04-03T20:00:00Z')).toEqual([]);
  api.clock.advance(Date.parse('2026-04-04T08:00:00Z') - api.clock.now.getTime());
  await closeDuePeriods(api.deps);
  const mails = await sentAt('2026-04-04T08:00:00Z');
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['ana@example.org', 'Your statements for March 2026 are ready'],
    ['ben@example.org', 'Your statements for March 2026 are ready'],
  ]);
  expect(mails[1]?.text).toMatch(/Your shares:\nSauna: \$[\d.]+\nTent: \$[\d.]+\n/);
  expect(await sentAt('2026-04-05T08:00:00Z')).toEqual([]);
});

it('does not wait for an asset that stays open longer than 4 days', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  await api.call('PATCH', '/api/me/', { as: ana, body: { usage_reminders: false } });
  await api.call('PATCH', '/api/me/', { as: ben, body: { time_zone: 'America/New_York' } });
  await api.share(ana, await api.addAsset(ana, { name: 'Sauna', split_method: 'equal' }), ben);
  const late = await api.share(ana, await api.addAsset(ana, { name: 'Tent' }), ben);
  await api.deps.db
    .updateTable('periods')
    .set({ ends_at: new Date('2026-04-04T12:00:00Z') })
    .where('asset_id', '=', late.asset.id)
    .where('month', '=', '2026-03-01')
    .execute();
  api.clock.advance(Date.parse('2026-04-05T03:59:00Z') - api.clock.now.getTime());
  await closeDuePeriods(api.deps);
  expect(await sentAt('2026-04-05T03:59:00Z')).toEqual([]);
  const [mail, ...others] = await sentAt('2026-04-05T04:00:00Z');
  expect(others).toEqual([]);
  expect(mail?.text).toContain('Not closed yet: Tent');
});

it('sends nothing without use, or to those who turned it off', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  await api.call('PATCH', '/api/me/', { as: ana, body: { usage_reminders: true } });
  await api.call('PATCH', '/api/me/', { as: ben, body: { usage_reminders: false } });
  const share = await api.share(ana, await api.addAsset(ana), ben);
  expect(await sentAt('2026-03-16T08:00:00Z')).toEqual([]);
  await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: ben });
  api.clock.advance(HOUR);
  await api.call('POST', `/api/shared-assets/${share.id}/end/`, { as: ben });
  expect((await sentAt('2026-03-23T08:00:00Z')).map(({ to }) => to)).toEqual(['ana@example.org']);
});

it('sends nothing to a disabled account', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  for (const user of [ana, ben]) await api.call('PATCH', '/api/me/', { as: user, body: { usage_reminders: true } });
  const share = await api.share(ana, await api.addAsset(ana, { split_method: 'equal' }), ben);
  await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: ben });
  api.clock.advance(HOUR);
  await api.call('POST', `/api/shared-assets/${share.id}/end/`, { as: ben });
  await disableAccount(api.deps, ben.user.id);
  const sentTo = async (instant: string) => (await sentAt(instant)).map(({ to }) => to);
  expect(await sentTo('2026-03-16T08:00:00Z')).toEqual(['ana@example.org']);
  api.clock.advance(Date.parse('2026-04-04T08:00:00Z') - api.clock.now.getTime());
  await closeDuePeriods(api.deps);
  expect(await sentTo('2026-04-04T08:00:00Z')).toEqual(['ana@example.org']);
});

it('sends the week until the end of Tuesday if no server ran before', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  for (const user of [ana, ben]) await api.call('PATCH', '/api/me/', { as: user, body: { usage_reminders: true } });
  // In Tokyo, it is Wednesday.
  await api.call('PATCH', '/api/me/', { as: ben, body: { time_zone: 'Asia/Tokyo' } });
  const share = await api.share(ana, await api.addAsset(ana), ben);
  await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: ben });
  api.clock.advance(HOUR);
  await api.call('POST', `/api/shared-assets/${share.id}/end/`, { as: ben });
  expect((await sentAt('2026-03-17T23:59:59Z')).map(({ to }) => to)).toEqual(['ana@example.org']);
});

it('reads the week and the sessions of a user’s own shares and of all in their assets, each once', async () => {
  const [ana, ben, zoe] = [await api.register('ana'), await api.register('ben'), await api.register('zoe')];
  const { db } = api.deps;
  const asset = await api.addAsset(ana);
  const shares = [await api.share(ana, asset, ben), await api.share(ana, asset, zoe)];
  const other = await api.share(zoe, await api.addAsset(zoe, { name: 'Gym' }), ana);
  for (const { id } of [...shares, other])
    await api.call('POST', `/api/shared-assets/${id}/start/`, {
      as: id === other.id ? ana : id === shares[0]?.id ? ben : zoe,
    });
  api.clock.advance(HOUR);
  const week = async (userId: number) =>
    (await readWeek(db, { userId, day: '2026-03-16' })).map(({ asset_name: name, owned, seconds }) => [
      name,
      owned,
      seconds,
    ]);
  const running = async (userId: number) =>
    (await readRunning(db, { userId, now: api.clock.now })).map(({ asset_name: name, username }) => [name, username]);
  expect(await running(ana.user.id)).toEqual([
    ['Netflix Premium', 'ben'],
    ['Netflix Premium', 'zoe'],
    ['Gym', 'ana'],
  ]);
  expect(await running(ben.user.id)).toEqual([['Netflix Premium', 'ben']]);
  // As after a handover, by which an owner can still have a share.
  await db
    .updateTable('shares')
    .set({ member_id: ana.user.id })
    .where('id', '=', shares[0]?.id ?? 0)
    .execute();
  for (const { id } of [...shares, other])
    for (const [day, seconds] of [
      // The days before the week and after it don't count.
      ['2026-03-08', 1],
      ['2026-03-10', 60],
      ['2026-03-16', 1],
    ] as const)
      await db.insertInto('usage_days').values({ share_id: id, day, seconds, sessions: 1 }).execute();
  expect(await week(ana.user.id)).toEqual([
    ['Gym', false, 60],
    ['Netflix Premium', true, 120],
  ]);
  expect(await running(ana.user.id)).toHaveLength(3);
  expect(await week(zoe.user.id)).toEqual([
    ['Gym', true, 60],
    ['Netflix Premium', false, 60],
  ]);
  expect(await week(ben.user.id)).toEqual([]);
});

it('reads the accounts on a limited number of statements at once, without those whose other months are open', async () => {
  const [ana, ben, zoe] = [await api.register('ana'), await api.register('ben'), await api.register('zoe')];
  const { db } = api.deps;
  for (const { user } of [ana, ben, zoe])
    await db.updateTable('users').set({ usage_reminders: true }).where('id', '=', user.id).execute();
  await api.billedAsset(ana, ben, '2026-02');
  await api.billedAsset(ana, zoe, '2026-02');
  const open = await api.billedAsset(zoe, ben, '2026-02');
  await db.deleteFrom('statements').where('asset_id', '=', open.assetId).execute();
  await db.updateTable('periods').set({ closed_at: null }).where('asset_id', '=', open.assetId).execute();
  await db.updateTable('users').set({ reminded_month: null }).execute();
  const [first = 0, second = 0] = (
    await db.selectFrom('statements').select('id').where('month', '=', '2026-02-01').orderBy('id').execute()
  ).map(({ id }) => id);
  const read = (after: number, waitDays = 400) =>
    usersWithStatements(db, { month: '2026-02', now: api.clock.now, waitDays, after, limit: 1 });
  expect(await read(0)).toEqual({ user_ids: [ana.user.id], last: first });
  expect(await read(0, 4)).toEqual({ user_ids: [ana.user.id, ben.user.id], last: first });
  expect(await read(first, 4)).toEqual({ user_ids: [ana.user.id, zoe.user.id], last: second });
  expect(await read(second)).toEqual({ user_ids: [], last: null });
  await db.updateTable('users').set({ reminded_month: '2026-02-01' }).where('id', '=', ana.user.id).execute();
  expect(await read(0)).toEqual({ user_ids: [], last: first });
});
