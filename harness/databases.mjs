import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Runs a statement. @param {string} databaseUrl @param {string} statement @param {unknown[]} [values] @returns {Promise<any[]>} its rows */
export async function queryDatabase(databaseUrl, statement, values = []) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}

/** Creates a database on the PostgreSQL server of an address. @param {string} serverUrl */
export async function createDatabase(serverUrl) {
  const name = `hourshare_${randomUUID().replaceAll('-', '')}`;
  await queryDatabase(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    query: (/** @type {string} */ statement, /** @type {unknown[]} */ values = []) =>
      queryDatabase(url.href, statement, values),
    drop: () => queryDatabase(serverUrl, `drop database if exists ${name} with (force)`),
  };
}
