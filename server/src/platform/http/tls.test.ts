import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateFolder, makeCertificate, type TestCertificate } from '../../testing/certificates.ts';
import { StartupError } from '../startup-error.ts';
import { readCredentials } from './tls.ts';

const { folder, remove } = certificateFolder();
const broken = join(folder, 'broken.pem');
let one: TestCertificate;
let other: TestCertificate;
beforeAll(() => {
  one = makeCertificate(folder, 'one');
  other = makeCertificate(folder, 'other');
  writeFileSync(broken, 'no PEM');
});
afterAll(() => remove());

async function sentence({ cert, key }: { cert: string; key: string }): Promise<string> {
  const error: unknown = await readCredentials({ certFile: cert, keyFile: key }).then(
    () => 'accepted',
    (reason: unknown) => reason,
  );
  return error instanceof StartupError ? error.message : String(error);
}

describe('a certificate', () => {
  it('is accepted with its key', async () => {
    expect(await sentence(one)).toBe('accepted');
  });

  it.each([
    ['is missing', () => ({ cert: '/gone.pem', key: one.key }), /^TLS_CERT_FILE must be [^.]* read \(ENOENT\)\.$/],
    ['has no key', () => ({ cert: one.cert, key: '/gone.pem' }), /^TLS_KEY_FILE must be [^.]* read \(ENOENT\)\.$/],
    ['is a folder', () => ({ cert: folder, key: one.key }), /^TLS_CERT_FILE must be [^.]* read \(EISDIR\)\.$/],
    ["isn't one", () => ({ cert: broken, key: one.key }), /^TLS_CERT_FILE must be [^.]* a certificate in PEM/],
    ['is a key', () => ({ cert: one.key, key: one.key }), /^TLS_CERT_FILE must be [^.]* a certificate in PEM/],
    ['has a broken key', () => ({ cert: one.cert, key: broken }), /^TLS_KEY_FILE must be [^.]* a private key in PEM/],
    ["has another one's key", () => ({ cert: one.cert, key: other.key }), /that key belongs to another one\.$/],
  ])('that %s is refused in one sentence', async (_, files, expected) => {
    expect(await sentence(files())).toMatch(expected);
  });
});
