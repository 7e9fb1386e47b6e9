import { expect, it } from 'vitest';
import { isPublicAddress, lookupPublic } from './public-addresses.ts';

it.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:127.0.0.1',
  '::127.0.0.1',
  '64:ff9b::10.0.0.1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'ff02::1',
  'localhost',
  '',
])('is not public: %s', (address) => expect(isPublicAddress(address)).toBe(false));

it.each(['1.1.1.1', '172.32.0.1', '192.0.1.1', '2606:4700:4700::1111', '2a00:1450:4001::1'])(
  'is public: %s',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

it('finds no address for a name of this machine', async () => {
  const code = await new Promise((resolve) => {
    lookupPublic('localhost', {}, (error) => resolve(error?.code));
  });
  expect(code).toBe('ENOTPUBLIC');
});
