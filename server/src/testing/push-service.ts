import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

/** A browser that has subscribed to push messages. */
export interface TestBrowser {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** Decrypts a message as RFC 8291 says; throws if it is for another browser. */
  decrypt(body: Buffer): string;
}

export interface TestPushService {
  received: { path: string; headers: IncomingHttpHeaders; body: Buffer }[];
  /** The status that it answers, by path; 201 unless set. */
  statuses: Map<string, number>;
  browser(name: string): TestBrowser;
  close(): Promise<void>;
}

/** Starts a push service on this machine. */
export async function openTestPushService(): Promise<TestPushService> {
  const service: TestPushService = {
    received: [],
    statuses: new Map(),
    browser: (name) => createBrowser(`${origin}/${name}`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      service.received.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
      const status = service.statuses.get(path) ?? 201;
      response.writeHead(status, status === 307 ? { location: `${origin}/elsewhere` } : {}).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return service;
}

function createBrowser(endpoint: string): TestBrowser {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const auth = randomBytes(16);
  const derive = (key: Uint8Array, salt: Uint8Array, info: Uint8Array | string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, salt, info, length));
  return {
    subscription: {
      endpoint,
      keys: { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
    decrypt(body) {
      const [salt, theirs] = [body.subarray(0, 16), body.subarray(21, 86)];
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), theirs]);
      const key = derive(pair.computeSecret(theirs), auth, info, 32);
      const decipher = createDecipheriv(
        'aes-128-gcm',
        derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
        derive(key, salt, 'Content-Encoding: nonce\0', 12),
      );
      decipher.setAuthTag(body.subarray(-16));
      const text = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()]).toString();
      return text.slice(0, text.lastIndexOf('\u0002'));
    },
  };
}
