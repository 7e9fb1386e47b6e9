import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES } from '@hourshare/contract/limits';
import type { Page } from '@playwright/test';
import { openTestMailServer, type ReceivedMail, type TestMailServer } from '../server/src/testing/smtp.ts';
import { violationsOn } from './axe.ts';
import { expect, test as base } from './test.ts';
import { expectToFit } from './verbs.ts';

/** The test function for journeys with email: a mail server that stops with the test. */
export const test = base.extend<{ smtp: TestMailServer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads it
  smtp: async ({}, use) => {
    const smtp = await openTestMailServer();
    await use(smtp);
    await smtp.close();
  },
});

/** The settings of a server that sends its email there. */
export const mailSettings = ({ url }: TestMailServer) => ({
  SMTP_URL: url,
  MAIL_FROM: 'HourShare <hours@example.org>',
  CONTACT: 'ida@example.org',
});

/** Waits until this many messages have arrived in total, apart from those that confirm the address of a new account. Returns the last one. */
export async function lastOf(smtp: TestMailServer, count: number): Promise<ReceivedMail & { link: string }> {
  const others = () => smtp.received.filter(({ parsed }) => !CONFIRMATIONS.includes(parsed.subject));
  await expect.poll(() => others().length).toBe(count);
  const mail = others()[count - 1];
  return { ...mail!, link: mail?.link ?? '' };
}

export async function expectAccessible(page: Page): Promise<void> {
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
}

const catalogOf = (side: 'web' | 'server', language: string) =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, '..', side, 'src', 'messages', `${language}.json`), 'utf8'),
  ) as Record<string, string>;

const CONFIRMATION = 'Confirm your email address';
const CONFIRMATIONS: (string | undefined)[] = [
  CONFIRMATION,
  ...LANGUAGES.filter((language) => language !== 'en').map((language) => catalogOf('server', language)[CONFIRMATION]),
];

/** Returns a function that translates texts of the web app and its emails into a language. */
export function translator(language: string): (english: string) => string {
  const catalogs = [catalogOf('web', language), catalogOf('server', language)];
  return (english) => {
    const found = catalogs.find((catalog) => english in catalog)?.[english];
    if (found === undefined) throw new Error(`Not translated into ${language}: ${english}`);
    return found;
  };
}
