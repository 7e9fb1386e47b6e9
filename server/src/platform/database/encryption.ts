import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';

/** Returns the host that the driver connects to for an address; a path for a Unix socket. Throws if it isn't an address. */
export const hostOf = (databaseUrl: string): string => new pg.Client({ connectionString: databaseUrl }).host;

/** The driver's types have only the first, but it also keeps the options that it reads from an address. */
const verifies = (ssl: boolean | ConnectionOptions): boolean =>
  typeof ssl === 'boolean' ? ssl : ssl.rejectUnauthorized !== false && ssl.checkServerIdentity === undefined;

/**
 * Returns whether the driver encrypts a connection to this address and verifies the server's certificate and name. The mode has
 * to be written out: what others mean depends on the version of the driver.
 */
export const isVerified = (databaseUrl: string): boolean =>
  /[?&]sslmode=verify-full(?:&|$)/.test(databaseUrl) && verifies(new pg.Client({ connectionString: databaseUrl }).ssl);
