import { createECDH } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { areKeys, canEncryptFor, createPushKeys, encrypt, mayPushTo, sendPush } from './web-push.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

it('encrypts as the example of RFC 8291', () => {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'));
  const encrypted = encrypt(
    'When I grow up, I want to be a watermelon',
    {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    { pair, salt: bytes('DGv6ra1nlYgDCS1FRnbzlw') },
  );
  expect(encrypted.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

it('keeps the zeros at the start of a private key', () => {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey('07', 'hex');
  const { privateKey, publicKey } = createPushKeys(pair);
  expect(Buffer.from(privateKey, 'base64url').toString('hex')).toBe('07'.padStart(64, '0'));
  expect(areKeys({ privateKey, publicKey })).toBe(true);
});

it('tells keys that belong together, and keys of browsers', () => {
  const keys = createPushKeys();
  expect(areKeys(keys)).toBe(true);
  expect(areKeys({ ...keys, publicKey: createPushKeys().publicKey })).toBe(false);
  expect(areKeys({ publicKey: 'x', privateKey: '' })).toBe(false);
  const auth = 'BTBZMqHH6r4Tts7J_aSIgg';
  expect(canEncryptFor({ p256dh: keys.publicKey, auth })).toBe(true);
  expect(canEncryptFor({ p256dh: keys.publicKey, auth: 'short' })).toBe(false);
  expect(canEncryptFor({ p256dh: 'B'.repeat(87), auth })).toBe(false);
});

it.each([
  'http://push.example.org/a',
  'https://127.0.0.1/a',
  'https://0177.0.0.1/a',
  'https://2130706433/a',
  'https://10.0.0.1:8443/a',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::1]/a',
  'https://[::ffff:127.0.0.1]/a',
  'https://[fd00::1]/a',
  'https://ana:secret@push.example.org/a',
])('may not be sent to %s', (endpoint) =>
  expect(mayPushTo(endpoint, { allowPrivate: false, services: undefined })).toBe(false),
);

describe('with a list of services', () => {
  const services = ['push.example.org', '*.notify.example.org'];
  it.each([
    'https://push.example.org/a',
    'https://push.example.org:443/a',
    'https://PUSH.example.org/a',
    'https://a.notify.example.org/a?b',
    'https://a.b.notify.example.org/a',
  ])('may be sent to %s', (endpoint) => expect(mayPushTo(endpoint, { allowPrivate: false, services })).toBe(true));

  it.each([
    'https://example.org/a',
    'https://notify.example.org/a',
    'https://evilpush.example.org/a',
    'https://evil-notify.example.org/a',
    'https://push.example.org.evil.example/a',
    'https://push.example.org./a',
    'https://push.example.org:8443/a',
    'http://push.example.org/a',
    'http://push.example.org:443/a',
    'https://push.example.org@evil.example/a',
    'https://evil.example/https://push.example.org/a',
  ])('may not be sent to %s, whatever else is allowed', (endpoint) => {
    for (const allowPrivate of [false, true]) expect(mayPushTo(endpoint, { allowPrivate, services })).toBe(false);
  });
});

it('is not sent to a name that leads to this machine', async () => {
  const target = {
    endpoint: 'https://localhost:1/a',
    p256dh: createPushKeys().publicKey,
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
  const from = {
    keys: createPushKeys(),
    subject: 'mailto:ida@example.org',
    now: new Date(),
    allowPrivate: false,
    services: undefined,
    signal: undefined,
  };
  await expect(sendPush(target, { text: 'a', ttlSeconds: 60, urgency: 'normal' }, from)).rejects.toThrow('not public');
});
