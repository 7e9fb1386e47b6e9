import type { Language } from '@hourshare/contract/users';
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
  /** `isRecorded` is set with the security event of the request. */
  passwordReset: { email: string; client: Client; isRecorded?: true };
  /** `days` is how long its link works. */
  accountCreated: { email: string; days: number };
  emailChange: { email: string; username: string; language: Language; token: string };
  emailChanged: { email: string; username: string; language: Language; newEmail: string };
  /** Notices of a user that wait to be sent together. */
  notices: { userId: number; ids: number[] };
  /** `monday` is the day it is sent on, `YYYY-MM-DD`, and `month` the one that has closed, `YYYY-MM`. */
  weeklyReminder: { userId: number; monday: string };
  monthlyReminder: { userId: number; month: string };
  backupFailed: { reason: string };
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
  /** How to stop such messages: a link for people, and an address to which mail programs post (RFC 8058). */
  unsubscribe?: { text: string; name: string; address: string; post: string };
}

/** Replaces a message's data for later attempts, in the caller's transaction if there is one. */
type ReplaceData<Deps, Data> = (deps: Deps, data: Data) => Promise<void>;

/** Writes a message just before each attempt to send it; undefined if it is no longer needed. */
type Write<Deps, Data> = (
  deps: Deps,
  data: Data,
  replaceData: ReplaceData<Deps, Data>,
) => Promise<MailText | undefined>;

/** The kinds of messages that features send, and the functions that write them. */
export interface MailKinds<Deps> {
  define<Kind extends keyof MailData>(kind: Kind, write: Write<Deps, MailData[Kind]>): void;
  write(
    deps: Deps,
    message: { kind: string; data: unknown },
    replaceData: ReplaceData<Deps, unknown>,
  ): Promise<MailText | undefined>;
}

export function createMailKinds<Deps>(): MailKinds<Deps> {
  const kinds = new Map<
    string,
    (deps: Deps, data: never, replaceData: ReplaceData<Deps, unknown>) => Promise<MailText | undefined>
  >();
  return {
    define(kind, write) {
      kinds.set(kind, write);
    },
    async write(deps, { kind, data }, replaceData) {
      // A later version of the server may have queued a kind that this version doesn't know.
      const write = kinds.get(kind);
      if (!write) throw new Error(`No feature writes messages of the kind ${kind}.`);
      // oxlint-disable-next-line no-unsafe-type-assertion -- queueMail stored it with its kind
      return write(deps, data as never, replaceData);
    },
  };
}
