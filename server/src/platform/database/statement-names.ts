import { createHash } from 'node:crypto';

/** Limits prepared statements, so that endlessly many texts can't fill the memory of every connection. */
const NAMES_MAX = 500;

/** Other statements, such as DDL and transaction control, aren't planned. */
const isPlanned = (text: string): boolean => /^\s*(?:select|insert|update|delete|with)\b/i.test(text);

/** The names of a database's prepared statements, the same on every connection and server. */
export interface StatementNames {
  /** Returns the name of a statement, or undefined if it shouldn't be prepared. */
  nameOf: (text: string) => string | undefined;
  /** Sends a statement unnamed from now on, because the database has lost it. */
  giveUp: (text: string, reason: Error) => void;
}

/** Returns the names of a database's statements, of which at most `max` are prepared. `onGiveUp` hears of those that no longer are. */
export function createStatementNames({
  max = NAMES_MAX,
  onGiveUp = () => undefined,
}: {
  max?: number;
  onGiveUp?: (reason: Error) => void;
} = {}): StatementNames {
  const names = new Map<string, string | undefined>();
  return {
    nameOf(text) {
      const known = names.get(text);
      if (known !== undefined || names.size >= max || names.has(text) || !isPlanned(text)) return known;
      const name = `hourshare_${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;
      names.set(text, name);
      return name;
    },
    giveUp(text, reason) {
      names.set(text, undefined);
      onGiveUp(reason);
    },
  };
}

/** Names for connections that can't keep prepared statements. */
export const noNames: StatementNames = { nameOf: () => undefined, giveUp: () => undefined };
