import { createHash } from 'node:crypto';

/** How many statements are prepared at most, so that texts without end can't fill the memory of every connection. */
const NAMES_MAX = 500;

/** The rest, such as DDL and what begins a transaction, has nothing to plan. */
const isPlanned = (text: string): boolean => /^\s*(?:select|insert|update|delete|with)\b/i.test(text);

/** The names under which a database's connections prepare statements, the same on every connection and server. */
export interface StatementNames {
  /** Returns the name of a statement; undefined when it isn't to be prepared. */
  nameOf: (text: string) => string | undefined;
  /** Sends a statement without a name from now on, because the database has lost it. */
  giveUp: (text: string, reason: Error) => void;
}

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

/** Names for a connection that can't keep prepared statements. */
export const noNames: StatementNames = { nameOf: () => undefined, giveUp: () => undefined };
