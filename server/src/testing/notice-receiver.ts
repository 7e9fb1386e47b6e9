import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

export interface ReceivedNotice {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A program or service that notices are sent to. */
export interface TestReceiver {
  origin: string;
  received: ReceivedNotice[];
  /** How it answers, by path: with a status, a redirect, nothing, or without end; 200 unless set. */
  behaviors: Map<string, number | 'redirect' | 'silent' | 'endless'>;
  close(): Promise<void>;
}

/** Starts a receiver on this machine. */
export async function openTestReceiver(): Promise<TestReceiver> {
  const behaviors: TestReceiver['behaviors'] = new Map();
  const received: ReceivedNotice[] = [];
  const answer = (response: ServerResponse, behavior: number | 'redirect' | 'silent' | 'endless') => {
    if (behavior === 'silent') return;
    if (behavior === 'redirect') response.writeHead(307, { location: `${origin}/elsewhere` }).end();
    else if (behavior === 'endless') {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(100_000)), 5);
      response.on('close', () => clearInterval(timer));
    } else response.writeHead(behavior).end('{}');
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString() });
      answer(response, behaviors.get(path) ?? 200);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    origin,
    received,
    behaviors,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
