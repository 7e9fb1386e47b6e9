import { createHmac } from 'node:crypto';
import type { Notice, SentNotice, TargetFormat } from '@hourshare/contract/notifications';
import { isListed, isPublicAndSecure } from '../../../platform/posting.ts';

/** How long it waits after an attempt: 1, 2, 4 … minutes, up to 6 hours. */
export const WAITS = { firstSeconds: 60, factor: 2, maxSeconds: 6 * 3600 };
export const GIVE_UP_MILLISECONDS = 3 * 24 * 3_600_000;
export const TARGETS_AT_ONCE = 8;
export const ATTEMPT_MILLISECONDS = 10_000;

/** Where a target is, and what signs or authorizes what is sent there. */
export interface TargetKey {
  address: string;
  secret: string | null;
}

/** Returns whether notices may be sent to an address, as far as it tells without being resolved. */
export const maySendTo = (address: string, hosts: readonly string[]): boolean => {
  const url = new URL(address);
  return url.username === '' && url.password === '' && (isOwnHost(url, hosts) || isPublicAndSecure(url));
};

/** Returns whether the operator has named a host of their own network. */
export const isOwnHost = ({ hostname }: URL, hosts: readonly string[]): boolean =>
  isListed(hostname.replaceAll(/^\[|\]$/g, ''), hosts);

/** Returns whether an address can be one of a format: ntfy's ends with a topic. */
export const fitsFormat = (address: string, format: TargetFormat): boolean =>
  format !== 'ntfy' || topicOf(new URL(address)).topic !== '';

/** Returns the topic of an address, empty if there is none, and where to publish to it. A query may authorize the sender. */
function topicOf({ origin, pathname, search }: URL): { topic: string; server: string } {
  const parts = pathname.split('/').filter((part) => part !== '');
  const topic = decoded(parts.pop() ?? '');
  return { topic, server: `${origin}/${parts.map((part) => `${part}/`).join('')}${search}` };
}

/** Returns what a part of an address says; empty if it says nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

export const sentNotice = (
  { id, kind, created_at, text, detail, path }: Notice,
  ids: Pick<SentNotice, 'asset_id' | 'share_id' | 'session_id'>,
  server: string,
): SentNotice => ({ id, kind, created_at, text, detail, path, url: `${server}${path}`, ...ids });

const linesOf = ({ text, detail }: SentNotice) => (detail === '' ? text : `${text}\n${detail}`);

/** What Slack's own markup would be made of. */
const escapeSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

interface Request {
  address: string;
  headers: Record<string, string>;
  body: string;
}

const TITLE = 'HourShare';

/** Returns how a notice is sent to a target of each format. */
export function requestOf(
  format: TargetFormat,
  { address, secret }: TargetKey,
  { notice, now }: { notice: SentNotice; now: Date },
): Request {
  const send = (to: string, content: object, headers: Record<string, string> = {}): Request => ({
    address: to,
    headers: { 'content-type': 'application/json', 'user-agent': TITLE, 'hourshare-id': String(notice.id), ...headers },
    body: JSON.stringify(content),
  });
  switch (format) {
    case 'json': {
      const request = send(address, notice);
      const seconds = Math.floor(now.getTime() / 1000);
      const signature = createHmac('sha256', secret ?? '')
        .update(`${seconds}.${request.body}`)
        .digest('hex');
      return { ...request, headers: { ...request.headers, 'hourshare-signature': `t=${seconds},v1=${signature}` } };
    }
    case 'ntfy': {
      const { topic, server } = topicOf(new URL(address));
      const authorization = secret === null ? {} : { authorization: `Bearer ${secret}` };
      return send(server, { topic, title: TITLE, message: linesOf(notice), click: notice.url }, authorization);
    }
    case 'gotify': {
      const { origin, pathname, search } = new URL(address);
      const server = `${origin}${pathname.replace(/\/(?:message)?\/?$/, '')}`;
      const extras = { 'client::notification': { click: { url: notice.url } } };
      return send(
        `${server}/message${search}`,
        { title: TITLE, message: linesOf(notice), priority: 5, extras },
        secret === null ? {} : { 'x-gotify-key': secret },
      );
    }
    default:
      return send(address, { text: `${escapeSlack(linesOf(notice))}\n<${escapeSlack(notice.url)}>` });
  }
}
