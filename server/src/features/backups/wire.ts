import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isUsableSecret, secretFingerprint } from '../../platform/secret.ts';
import type * as store from './store.ts';

// A backup is text in lines, compressed with gzip: a header; for each table its name, then its rows, each a JSON array of texts
// and nulls; a footer with their figures; and a digest of all of that.

const FORMAT = 1;

/** How much text one part of rows has at least, except for the last one of a table. */
const PART_LENGTH = 500_000;

/** A first line longer than this is no header. */
const HEADER_MAX_LENGTH = 100_000;

/** Why there is no backup, or it can't be restored, in one sentence. */
export class BackupError extends Error {}

const Header = z.strictObject({
  hourshare_backup: z.literal(FORMAT),
  app_version: z.string(),
  created_at: z.iso.datetime(),
  /** The migrations of its database, in the order in which they are applied. */
  migrations: z.array(z.string()).min(1),
  secret_fingerprint: z.string(),
  /** The secret itself if DATA_DIR kept it; null if SECRET was set. */
  secret: z.string().nullable(),
  /** The names of the columns that rows have, in order, by table. */
  tables: z.record(z.string(), z.array(z.string())),
});
export type Header = z.infer<typeof Header>;

const Figures = z.strictObject({
  rows: z.int(),
  digest: z.string().regex(/^-?\d+$/),
}) satisfies z.ZodType<store.Figures>;

const Contents = z.strictObject({
  figures: z.record(z.string(), Figures),
  /** The last value of each sequence; null if it has none. */
  sequences: z.record(z.string(), z.string().regex(/^\d+$/).nullable()),
});
type Contents = z.infer<typeof Contents>;

/** The SHA-256 of all lines before, each with its end. */
const Seal = z.strictObject({ sha256: z.string() });

export type Part =
  | { kind: 'header'; header: Header }
  /** One or more rows of a table, a line each. */
  | { kind: 'rows'; table: string; rows: string }
  | { kind: 'footer'; contents: Contents };

type PartsOf<Kind extends Part['kind']> = Omit<Extract<Part, { kind: Kind }>, 'kind'>;
export const headerPart = (header: Omit<Header, 'hourshare_backup'>): Part => ({
  kind: 'header',
  header: { hourshare_backup: FORMAT, ...header },
});
export const rowsPart = (part: PartsOf<'rows'>): Part => ({ kind: 'rows', ...part });
export const footerPart = (contents: Contents): Part => ({ kind: 'footer', contents });

/** Returns the text of a backup. */
export async function* encode(parts: AsyncIterable<Part>): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let current: string | undefined;
  for await (const part of parts) {
    let text: string;
    if (part.kind === 'footer') text = JSON.stringify(part.contents);
    else if (part.kind === 'header') text = JSON.stringify(part.header);
    else text = part.table === current ? part.rows : `${JSON.stringify(part.table)}\n${part.rows}`;
    if (part.kind === 'rows') current = part.table;
    text += '\n';
    hash.update(text);
    yield text;
  }
  yield `${JSON.stringify({ sha256: hash.digest('hex') })}\n`;
}

/**
 * Returns the parts of a backup. Throws a BackupError if it isn't one, isn't complete, or is of a later version: of rows, only
 * after they were read, so nothing may be committed before the end. `name` is its name in that error.
 */
export async function* decode(texts: AsyncIterable<string>, name: string): AsyncGenerator<Part> {
  const hash = createHash('sha256');
  let place: 'start' | 'rows' | 'footer' | 'end' = 'start';
  let table: string | undefined;
  let contents: Contents | undefined;
  let rows: string[] = [];
  let length = 0;
  for await (const line of linesOf(texts, name)) {
    const isRow = line.startsWith('[');
    if (rows.length > 0 && table !== undefined && (!isRow || length > PART_LENGTH)) {
      yield { kind: 'rows', table, rows: rows.join('\n') };
      [rows, length] = [[], 0];
    }
    if (place === 'start') {
      yield { kind: 'header', header: readHeader(line, name) };
      place = 'rows';
    } else if (place === 'footer') {
      if (readLine(Seal, line)?.sha256 !== hash.digest('hex')) throw damaged(name);
      place = 'end';
      continue;
    } else if (place === 'end') throw damaged(name);
    else if (isRow) {
      if (table === undefined) throw damaged(name);
      rows.push(line);
      length += line.length;
    } else if (line.startsWith('{')) {
      contents = readLine(Contents, line);
      place = 'footer';
    } else table = readLine(z.string(), line) ?? throwDamaged(name);
    hash.update(line).update('\n');
  }
  if (place !== 'end' || !contents) throw damaged(name);
  yield { kind: 'footer', contents };
}

async function* linesOf(texts: AsyncIterable<string>, name: string): AsyncGenerator<string> {
  let [pieces, length, isFirst]: [string[], number, boolean] = [[], 0, true];
  for await (const text of texts) {
    const lines = text.split('\n');
    const rest = lines.pop() ?? '';
    if (lines[0] !== undefined) {
      lines[0] = pieces.join('') + lines[0];
      yield* lines;
      [pieces, length, isFirst] = [[], 0, false];
    }
    pieces.push(rest);
    length += rest.length;
    if (isFirst && length > HEADER_MAX_LENGTH) throw foreign(name);
  }
  // The last line has an end, too.
  if (pieces.join('') !== '') throw isFirst ? foreign(name) : damaged(name);
}

function readHeader(line: string, name: string): Header {
  const format = readLine(z.looseObject({ hourshare_backup: z.int() }), line)?.hourshare_backup;
  if (format === undefined) throw foreign(name);
  if (format > FORMAT) throw newer(name, `format ${format}`);
  const header = readLine(Header, line) ?? throwDamaged(name);
  const { secret } = header;
  if (secret !== null && (!isUsableSecret(secret) || secretFingerprint(secret) !== header.secret_fingerprint))
    throw damaged(name);
  return header;
}

function readLine<T>(schema: z.ZodType<T>, line: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

export const foreign = (name: string) => new BackupError(`${name} isn't an HourShare backup.`);
export const damaged = (name: string) => new BackupError(`${name} is damaged or incomplete; use another backup.`);
export const throwDamaged = (name: string): never => {
  throw damaged(name);
};
export const newer = (name: string, what: string) =>
  new BackupError(
    `${name} was made by a newer version of HourShare (it has ${what}); restore it with that version or a later one.`,
  );
export const unreleased = (name: string) =>
  new BackupError(
    `${name} was made by an unreleased version of HourShare, which this version can't read; use another backup.`,
  );
