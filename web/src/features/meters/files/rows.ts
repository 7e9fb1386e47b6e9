import { EXTERNAL_NAME_MAX_LENGTH } from '@hourshare/contract/limits';

/** All that leaves the browser of a row of a file: no titles, devices, or places. */
export interface FileRow {
  name: string;
  start: string;
  end: string;
}

export type Source = 'netflix' | 'toggl' | 'clockify' | 'jellyfin' | 'tautulli' | 'evcc' | 'calendar' | 'table';

export interface FileRows {
  source: Source;
  rows: FileRow[];
  /** How many rows aren't use, such as trailers, or have no times. */
  skipped: number;
}

/** Makes rows of names and instants. Those without a name or times, or of no length, are skipped. */
export function toRows(
  source: Source,
  given: readonly { name: string; from: number | undefined; to: number | undefined }[],
  skipped = 0,
): FileRows {
  const rows = given.flatMap(({ name, from, to }) => {
    const plain = plainName(name);
    if (plain === '' || from === undefined || to === undefined || from === to) return [];
    return { name: plain, start: new Date(from).toISOString(), end: new Date(to).toISOString() };
  });
  return { source, rows, skipped: skipped + given.length - rows.length };
}

const plainName = (name: string) =>
  Array.from(name.replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim())
    .slice(0, EXTERNAL_NAME_MAX_LENGTH / 2)
    .join('');
