import { Writable } from 'node:stream';
import { LANGUAGES } from '@hourshare/contract/limits';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import de from '../../messages/de.json' with { type: 'json' };
import { createMailer } from '../../platform/mail.ts';
import { createTokens } from '../../platform/tokens.ts';
import { openTestApi, TEST_SECRET, type TestApi } from '../../testing/api.ts';
import { openTestMailServer, type TestMailServer } from '../../testing/smtp.ts';
import { requireSameSecret } from '../installation/service.ts';
import { queueMail, sendDueMails } from './service.ts';
import { toMail } from './wire.ts';

let smtp: TestMailServer;
let api: TestApi;
const lines: string[] = [];
beforeAll(async () => {
  smtp = await openTestMailServer();
  api = await openTestApi({ SMTP_URL: smtp.url, MAIL_FROM: 'HourShare <hours@example.org>' });
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  api.deps.log = pino(stream);
});
beforeEach(async () => {
  await api.reset();
  smtp.received.length = 0;
  smtp.behavior = 'accept';
  lines.length = 0;
});
afterAll(async () => {
  await api.close();
  await smtp.close();
});

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const queue = (email = 'zoe@example.org', username = 'zoe') =>
  queueMail(api.deps, 'emailChanged', { email, username, language: 'en', newEmail: 'secret@example.org' }, null);
const waiting = () => api.deps.db.selectFrom('mails').select(['attempts', 'due_at']).orderBy('id').execute();
const send = () => sendDueMails(api.deps);

describe('a message', () => {
  it('is sent, and then deleted', async () => {
    await queue();
    await send();
    await send();
    expect(smtp.received.map(({ recipients }) => recipients)).toEqual([['zoe@example.org']]);
    expect(await waiting()).toEqual([]);
    expect(smtp.received[0]?.parsed.headers.get('auto-submitted')).toBe('auto-generated');
  });

  it('waits encrypted', async () => {
    await queue();
    const rows = JSON.stringify(await api.deps.db.selectFrom('mails').selectAll().execute());
    expect(rows).not.toContain('secret@');
    expect(rows).not.toContain('zoe');
  });

  it('is retried with growing delays while the server refuses it, and then sent once', async () => {
    smtp.behavior = 'refuse';
    await queue();
    const waits = [];
    for (let attempt = 1; attempt <= 12; attempt++) {
      await send();
      const [row] = await waiting();
      expect(row?.attempts).toBe(attempt);
      waits.push(((row?.due_at.getTime() ?? 0) - api.clock.now.getTime()) / MINUTE);
      await send();
      expect((await waiting())[0]?.attempts).toBe(attempt);
      api.clock.now = row?.due_at ?? api.clock.now;
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360]);
    smtp.behavior = 'accept';
    await send();
    expect(smtp.received).toHaveLength(1);
    expect(await waiting()).toEqual([]);
  });

  it('is dropped after 3 days, with a line in the log that contains no address', async () => {
    smtp.behavior = 'refuse';
    await queue();
    api.clock.advance(3 * DAY - 1);
    await send();
    expect(await waiting()).toHaveLength(1);
    api.clock.advance(DAY);
    await send();
    expect(await waiting()).toEqual([]);
    expect(lines.at(-1)).toContain('given up');
    expect(lines.join('')).not.toContain('zoe');
  });

  it('keeps its Message-ID when it is sent again after a lost answer', async () => {
    smtp.behavior = 'lose';
    await queue();
    await send();
    smtp.behavior = 'accept';
    api.clock.advance(MINUTE);
    await send();
    expect(smtp.received).toHaveLength(2);
    expect(smtp.received[0]?.parsed.messageId).toMatch(/@example\.org>$/);
    expect(smtp.received[1]?.parsed.messageId).toBe(smtp.received[0]?.parsed.messageId);
  });

  it('is not sent by another server while the mail server is slow', async () => {
    smtp.behavior = 'hang';
    await queue();
    const stopped = new AbortController();
    const first = sendDueMails(api.deps, stopped.signal);
    await expect.poll(() => smtp.received.length).toBe(1);
    await send();
    expect(smtp.received).toHaveLength(1);
    stopped.abort();
    await first;
    expect((await waiting())[0]?.attempts).toBe(1);
  });

  it('is sent by only one of several servers', async () => {
    for (let n = 0; n < 10; n++) await queue(`user${n}@example.org`);
    await Promise.all([send(), send(), send()]);
    expect(smtp.received).toHaveLength(10);
    expect(new Set(smtp.received.map(({ recipients }) => recipients[0]))).toHaveLength(10);
  });

  it('that is refused does not delay others', async () => {
    await api.deps.db
      .insertInto('mails')
      .values({ kind: 'unknown', sealed: api.deps.tokens.seal('{}'), created_at: api.clock.now, due_at: api.clock.now })
      .execute();
    await queue();
    await send();
    expect(smtp.received).toHaveLength(1);
    expect(await waiting()).toHaveLength(1);
  });

  it('queued under a secret that was replaced is dropped', async () => {
    await requireSameSecret(api.deps.db, TEST_SECRET, undefined);
    await api.deps.db
      .insertInto('mails')
      .values({ kind: 'emailChange', sealed: 'AAAA', created_at: api.clock.now, due_at: api.clock.now })
      .execute();
    await send();
    expect([smtp.received, await waiting()]).toEqual([[], []]);
  });

  it("that came with a restore is left for a server with the database's secret", async () => {
    const secret = 'the secret of the restored database, 32+ characters';
    await requireSameSecret(api.deps.db, secret, undefined);
    const restarted = { ...api.deps, tokens: createTokens(secret, api.deps.clock) };
    await queueMail(
      restarted,
      'emailChanged',
      { email: 'zoe@example.org', username: 'zoe', language: 'en', newEmail: 'new@example.org' },
      null,
    );
    // Older than messages that are given up.
    api.clock.advance(4 * DAY);
    await send();
    expect([smtp.received, await waiting()]).toMatchObject([[], [{ attempts: 1 }]]);
    expect(lines.join('')).toContain('restart this server');
    api.clock.advance(MINUTE);
    await sendDueMails(restarted);
    expect(smtp.received.map(({ recipients }) => recipients)).toEqual([['zoe@example.org']]);
    expect(await waiting()).toEqual([]);
  });

  it('goes to a single address, even if it looks like several', async () => {
    for (const to of [
      'zoe@example.org, eve@example.org',
      'Zoe <zoe@example.org>, eve@example.org',
      'a:zoe@example.org;',
    ]) {
      const mail = toMail({ to, language: 'en', subject: 'a', paragraphs: ['b'] });
      await api.deps.mailer?.send(mail, 'a', AbortSignal.timeout(60_000)).catch(() => undefined);
    }
    expect(smtp.received.flatMap(({ recipients }) => recipients)).not.toContain('eve@example.org');
    expect(smtp.received.every(({ recipients }) => recipients.length === 1)).toBe(true);
  });

  it('is not sent if the mail server password would be sent unencrypted', async () => {
    const mailer = createMailer({ url: smtp.url.replace('//', '//hours:secret@'), from: 'hours@example.org' });
    const mail = toMail({ to: 'zoe@example.org', language: 'en', subject: 'a', paragraphs: ['b'] });
    await expect(mailer.send(mail, 'a', AbortSignal.timeout(60_000))).rejects.toThrow(/STARTTLS/);
    expect(smtp.received).toEqual([]);
  });

  it('is not sent without TLS if TLS is required', async () => {
    const mailer = createMailer({ url: smtp.url, from: 'hours@example.org', requireTls: true });
    const mail = toMail({ to: 'zoe@example.org', language: 'en', subject: 'a', paragraphs: ['b'] });
    await expect(mailer.send(mail, 'a', AbortSignal.timeout(60_000))).rejects.toThrow(/STARTTLS/);
    expect(smtp.received).toEqual([]);
  });

  // Names can't contain line breaks; if one ever did, the message would still reach one person with unchanged headers.
  it('reaches one recipient with fixed headers, regardless of its texts', async () => {
    const breaks = [
      '\r\nBcc: eve@example.org',
      '\nSubject: hacked',
      '\r\n\r\n<script>alert(1)</script>',
      '\0',
      '\u2028',
    ];
    for (const text of breaks) {
      smtp.received.length = 0;
      const content = { language: 'en' as const, subject: `a${text}`, paragraphs: [`b${text}`] };
      await api.deps.mailer?.send(toMail({ to: 'zoe@example.org', ...content }), 'a', AbortSignal.timeout(60_000));
      const [mail] = smtp.received;
      expect(mail?.recipients).toEqual(['zoe@example.org']);
      expect([mail?.parsed.bcc, mail?.parsed.cc]).toEqual([undefined, undefined]);
      expect(mail?.parsed.subject).toContain('a');
      expect(mail?.parsed.html).not.toContain('<script>');
    }
  });
});

describe('the texts', () => {
  it.each(LANGUAGES.filter((language) => language !== 'en'))('are all translated into %s', async (language) => {
    const { default: catalog } = (await import(`../../messages/${language}.json`, { with: { type: 'json' } })) as {
      default: Record<string, string>;
    };
    expect(Object.keys(catalog)).toEqual(Object.keys(de));
    // Not the words of a plural form.
    const valuesOf = (text: string) =>
      [...text.matchAll(/(?<!\b(?:zero|one|two|few|many|other) )\{\w+/g)].map(String).toSorted();
    for (const [english, translated] of Object.entries(catalog))
      expect(valuesOf(translated)).toEqual(valuesOf(english));
  });
});
