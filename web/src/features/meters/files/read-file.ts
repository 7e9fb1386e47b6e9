import { METER_NAMES_MAX, METER_ROWS_MAX } from '@hourshare/contract/limits';
import { OPEN_DAYS, readCalendar } from './calendars.ts';
import type { FileRows } from './rows.ts';
import {
  likelyColumns,
  readColumns,
  readJellyfin,
  readKnownTable,
  readTable,
  type Columns,
  type Table,
} from './tables.ts';
import { readTautulli } from './tautulli.ts';
import type { DateOrder } from './times.ts';

export type { FileRow, FileRows } from './rows.ts';
export type { Columns, Table } from './tables.ts';

/** Why a file can't be imported. */
export type FileProblem = 'unreadable' | 'unknown' | 'no_rows' | 'too_many_rows' | 'too_many_names';

export type Reading =
  | ({ kind: 'rows' } & FileRows)
  /** It is for the user to say which columns are meant. */
  | { kind: 'table'; table: Table; likely: Columns }
  | { kind: 'problem'; problem: FileProblem };

interface Place {
  now: number;
  /** In which order dates are that could be read in two. */
  order: DateOrder;
}

const MEGABYTE = 1_048_576;
const MAX_BYTES = 100 * MEGABYTE;
const DAY_MS = 86_400_000;

/** Reads a file that someone chose, and recognizes whose it is. Nothing of it leaves the browser. */
export async function readFile(file: Pick<File, 'name' | 'size' | 'arrayBuffer'>, place: Place): Promise<Reading> {
  if (file.size > MAX_BYTES) return { kind: 'problem', problem: 'too_many_rows' };
  const text = decode(new Uint8Array(await file.arrayBuffer()));
  if (text === undefined) return { kind: 'problem', problem: 'unreadable' };
  try {
    return readText(text, { ...place, fileName: file.name });
  } catch {
    return { kind: 'problem', problem: 'unreadable' };
  }
}

function readText(text: string, place: Place & { fileName: string }): Reading {
  if (text.trim() === '') return { kind: 'problem', problem: 'no_rows' };
  if (/^\s*BEGIN:VCALENDAR/i.test(text)) return withinLimits(readCalendar(text, place), place);
  if (/^\s*[{[]/.test(text)) {
    const rows = readTautulli(JSON.parse(text));
    return rows ? withinLimits(rows, place) : { kind: 'problem', problem: 'unknown' };
  }
  const jellyfin = readJellyfin(text);
  if (jellyfin) return withinLimits(jellyfin, place);
  const table = readTable(text);
  if (!table || table.columns.length < 3) return { kind: 'problem', problem: 'unknown' };
  if (table.lines.length === 0) return { kind: 'problem', problem: 'no_rows' };
  const known = readKnownTable(table, place.order);
  return known ? withinLimits(known, place) : { kind: 'table', table, likely: likelyColumns(table) };
}

/** Returns the rows of a table whose columns the user chose. */
export const readChosen = (table: Table, columns: Columns, place: Place): Reading =>
  withinLimits(readColumns(table, columns, place.order), place);

function withinLimits({ source, rows: all, skipped }: FileRows, { now }: Place): Reading {
  // Of more rows than can be sent, those are left out of which the months can't be open.
  const since = new Date(now - OPEN_DAYS * DAY_MS).toISOString();
  const rows = all.length > METER_ROWS_MAX ? all.filter(({ end }) => end >= since) : all;
  if (all.length === 0) return { kind: 'problem', problem: 'no_rows' };
  if (rows.length > METER_ROWS_MAX) return { kind: 'problem', problem: 'too_many_rows' };
  if (rows.length === 0) return { kind: 'problem', problem: 'no_rows' };
  if (new Set(rows.map(({ name }) => name)).size > METER_NAMES_MAX)
    return { kind: 'problem', problem: 'too_many_names' };
  return { kind: 'rows', source, rows, skipped: skipped + all.length - rows.length };
}

const BLANKS = [0x20, 0x09];
const [LINE_FEED, RETURN] = [0x0a, 0x0d];

/** Joins the lines of a calendar, which may be folded within a letter (RFC 5545, 3.1). */
const unfold = (bytes: Uint8Array): Uint8Array =>
  bytes.filter((byte, index) => {
    const isFold = (at: number) => bytes[at] === LINE_FEED && BLANKS.includes(bytes[at + 1] ?? 0);
    return !isFold(index) && !(byte === RETURN && isFold(index + 1)) && !isFold(index - 1);
  });

/** Returns the text of a file; undefined if it isn't text. */
function decode(bytes: Uint8Array): string | undefined {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isWide) return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
  if (bytes.includes(0)) return undefined;
  const isCalendar = new TextDecoder().decode(bytes.subarray(0, 20)).includes('BEGIN:VCALENDAR');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(isCalendar ? unfold(bytes) : bytes);
  } catch {
    // What older spreadsheets save.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
