import { vi } from 'vitest';

export interface Received {
  method: string;
  path: string;
  access: string | null;
  headers: Headers;
  body: unknown;
}

type Reply = { status: number; json?: unknown; file?: { name: string; text: string } } | 'no connection';
type Handler = (request: Received) => Reply | Promise<Reply>;

/** Every page asks for these once it is usable, so tests of other things don't list them. */
const ofEveryPage = (method: string, path: string): boolean =>
  path === '/api/events/' || (method === 'GET' && path.startsWith('/api/notifications/?'));

/**
 * Stubs fetch with the handler and returns the list of received requests, without those of every page. The stream of events stays
 * silent. Vitest restores fetch after each test.
 */
export function fakeServer(handler: Handler): Received[] {
  const received: Received[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    const request: Received = {
      method: init.method ?? 'GET',
      path: address,
      access: headers.get('authorization')?.replace('Bearer ', '') ?? null,
      headers,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    };
    if (request.path === '/api/events/')
      return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
    if (!ofEveryPage(request.method, request.path)) received.push(request);
    const reply = await handler(request);
    if (reply === 'no connection') throw new TypeError('Failed to fetch');
    if (reply.file) {
      const { name, text } = reply.file;
      return new Response(text, { headers: { 'content-disposition': `attachment; filename="${name}"` } });
    }
    const text = reply.json === undefined ? null : JSON.stringify(reply.json);
    return new Response(text, { status: reply.status });
  });
  return received;
}

export const errorReply = (status: number, code: string, error: string, fields?: Record<string, string[]>) => ({
  status,
  json: { error, code, ...(fields && { fields }) },
});

export const aUser = {
  id: 1,
  username: 'mira',
  email: 'mira@example.org',
  time_zone: 'UTC',
  email_notifications: true,
  language: null,
  usage_reminders: true,
  payment_details: { iban: null, link: null, text: null, methods: [] },
  email_change: null,
  email_confirmed: true,
  two_step: false,
  administrator: false,
};

export function storeTestSignIn(access: string, refresh: string): void {
  localStorage.setItem('access_token', access);
  localStorage.setItem('refresh_token', refresh);
  localStorage.setItem('user', JSON.stringify(aUser));
}
