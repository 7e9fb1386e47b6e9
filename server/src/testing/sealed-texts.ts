import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Returns a text as it was sealed before texts named their key. */
export function sealLegacy(text: string, secret: string): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'hourshare sealed text', 32));
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}
