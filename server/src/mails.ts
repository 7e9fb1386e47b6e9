import type { Language } from '@hourshare/contract/accounts';
import type { Client } from './platform/http/client.ts';

/** A change to how an account is signed in to. */
export type AccountChange =
  | 'password_changed'
  | 'password_reset'
  | 'password_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'provider_connected'
  | 'provider_disconnected'
  | 'two_step_on'
  | 'two_step_off'
  | 'recovery_code_used'
  | 'recovery_codes_made';

/** The data of each kind of message. It is stored, encrypted, until the message has been sent. */
export interface MailData {
  /** Messages that earlier versions queued don't say who asked. */
  passwordReset: { email: string; client?: Client };
  emailChange: { email: string; username: string; language: Language; token: string };
  emailChanged: { email: string; username: string; language: Language; newEmail: string };
  accountChanged: { email: string; username: string; language: Language; change: AccountChange };
}

/** A message in its recipient's language. */
export interface MailText {
  to: string;
  language: Language;
  subject: string;
  /** Plain text. */
  paragraphs: string[];
  /** The link that the message asks to open, after the first paragraph. */
  link?: { text: string; address: string };
}

/** Writes a message just before each attempt to send it; undefined if it is no longer needed. Attempts count from 1. */
type Write<Deps, Kind extends keyof MailData> = (
  deps: Deps,
  data: MailData[Kind],
  attempt: number,
) => Promise<MailText | undefined>;

/** The kinds of messages that features send, and the functions that write them. */
export interface MailKinds<Deps> {
  define<Kind extends keyof MailData>(kind: Kind, write: Write<Deps, Kind>): void;
  write(deps: Deps, message: { kind: string; data: unknown; attempt: number }): Promise<MailText | undefined>;
}

export function createMailKinds<Deps>(): MailKinds<Deps> {
  const kinds = new Map<string, (deps: Deps, data: never, attempt: number) => Promise<MailText | undefined>>();
  return {
    define(kind, write) {
      kinds.set(kind, write);
    },
    async write(deps, { kind, data, attempt }) {
      // A later version of the server may have queued a kind that this version doesn't know.
      const write = kinds.get(kind);
      if (!write) throw new Error(`No feature writes messages of the kind ${kind}.`);
      // oxlint-disable-next-line no-unsafe-type-assertion -- queueMail stored it with its kind
      return write(deps, data as never, attempt);
    },
  };
}
