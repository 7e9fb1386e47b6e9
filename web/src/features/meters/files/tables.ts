import { parse } from 'papaparse';
import { toRows, type FileRows } from './rows.ts';
import { orderOf, readDuration, readInstant, type DateOrder } from './times.ts';

/** A file with columns. */
export interface Table {
  columns: string[];
  lines: string[][];
}

/** Reads text with commas, semicolons, or tabs between its fields. */
export function readTable(text: string): Table | undefined {
  const [columns, ...lines] = parse(text, { skipEmptyLines: 'greedy' }).data;
  if (!columns || columns.length < 2) return undefined;
  return { columns: columns.map((column) => column.trim()), lines };
}

/** Returns the rows of a table of a program that is known; undefined of others. */
export function readKnownTable({ columns, lines }: Table, otherwise: DateOrder): FileRows | undefined {
  // As names, such as `start_time`.
  const names = columns.map((column) => column.toLowerCase().replaceAll(/\s+/g, '_'));
  const indexOf = (...wanted: string[]) => names.findIndex((name) => wanted.includes(name));
  const has = (...wanted: string[]) => wanted.every((name) => names.includes(name));
  const cell = (line: string[], index: number) => line[index]?.trim() ?? '';
  const orderAt = (index: number) =>
    orderOf(
      lines.map((line) => cell(line, index)),
      otherwise,
    );

  if (has('profile_name', 'start_time', 'duration')) {
    const [name, start, length] = [indexOf('profile_name'), indexOf('start_time'), indexOf('duration')];
    const kind = indexOf('supplemental_video_type');
    const order = orderAt(start);
    // Trailers, teasers, and the like.
    const watched = lines.filter((line) => cell(line, kind) === '');
    return toRows(
      'netflix',
      watched.map((line) => {
        const from = readInstant(cell(line, start), { order, isUtc: true });
        return { name: cell(line, name), from, to: plus(from, readDuration(cell(line, length))) };
      }),
      lines.length - watched.length,
    );
  }
  if (has('user', 'start_date', 'start_time') && names.some((name) => /^(?:end|stop)_time$/.test(name))) {
    const [name, email] = [indexOf('user'), indexOf('email')];
    const [startDate, startTime] = [indexOf('start_date'), indexOf('start_time')];
    const [endDate, endTime] = [indexOf('end_date', 'stop_date'), indexOf('end_time', 'stop_time')];
    const order = orderOf(
      lines.flatMap((line) => [cell(line, startDate), cell(line, endDate)]),
      otherwise,
    );
    const instant = (line: string[], date: number, time: number) =>
      readInstant(`${cell(line, date)} ${cell(line, time)}`, { order });
    return toRows(
      names.some((column) => column.startsWith('duration_(')) ? 'clockify' : 'toggl',
      lines.map((line) => ({
        name: cell(line, name) || cell(line, email),
        from: instant(line, startDate, startTime),
        to: instant(line, endDate, endTime),
      })),
    );
  }
  for (const [created, finished, vehicle, identifier, place] of EVCC) {
    if (!has(created, finished, vehicle)) continue;
    const [start, end] = [indexOf(created), indexOf(finished)];
    const order = orderAt(start);
    const whose = [vehicle, identifier, place].map((column) => indexOf(column));
    return toRows(
      'evcc',
      lines.map((line) => ({
        name: whose.map((index) => cell(line, index)).find((text) => text !== '') ?? '',
        from: readInstant(cell(line, start), { order }),
        to: readInstant(cell(line, end), { order }),
      })),
    );
  }
  return undefined;
}

/** What evcc calls when it began and ended, the vehicle, its card, and the charging point, in its languages that are ours, too. */
const EVCC = [
  ['created', 'finished', 'vehicle', 'identifier', 'charging_point'],
  ['created', 'finished', 'vehicle', 'identifier', 'loadpoint'],
  ['startzeit', 'endzeit', 'fahrzeug', 'kennung', 'ladepunkt'],
  ['hora_de_inicio', 'terminado', 'vehículo', 'identificador', 'punto_de_carga'],
  ['créé', 'terminé', 'véhicule', 'identifiant', 'point_de_charge'],
  ['hora_de_início', 'hora_final', 'veículo', 'identificador', 'posto_de_carregamento'],
  ['作成日時', '終了日時', '車両', '識別子', '充電ポイント'],
] as const;

const plus = (from: number | undefined, ms: number | undefined) =>
  from === undefined || ms === undefined ? undefined : from + ms;

/** The columns of a table that say who used it from when to when, by their places. */
export interface Columns {
  name: number;
  start: number;
  end: number;
}

const LIKELY = {
  name: /\b(?:name|user|person|member|profile|profil|benutzer|nutzer|nom|nombre|nome|utilisateur|usuario)\b|名前|اسم/i,
  start: /start|begin|from|\bvon\b|anfang|d[ée]but|inicio|in[íi]cio|desde|開始|بداية/i,
  end: /\bend|stop|finish|\bto\b|\bbis\b|\bfin\b|\bfim\b|hasta|終了|نهاية/i,
};

/** Returns the columns of a table that likely say who used it from when to when; the first three if none do. */
export function likelyColumns({ columns }: Table): Columns {
  const find = (likely: RegExp, otherwise: number) => {
    const index = columns.findIndex((column) => likely.test(column));
    return index < 0 ? Math.min(otherwise, columns.length - 1) : index;
  };
  return { name: find(LIKELY.name, 0), start: find(LIKELY.start, 1), end: find(LIKELY.end, 2) };
}

/** Returns the rows of any table. */
export function readColumns({ lines }: Table, { name, start, end }: Columns, otherwise: DateOrder): FileRows {
  const order = orderOf(
    lines.flatMap((line) => [line[start] ?? '', line[end] ?? '']),
    otherwise,
  );
  return toRows(
    'table',
    lines.map((line) => ({
      name: line[name] ?? '',
      from: readInstant(line[start] ?? '', { order }),
      to: readInstant(line[end] ?? '', { order }),
    })),
  );
}

const JELLYFIN = /^\d{4}-\d\d-\d\d[ T][\d:.]+\t[\da-f-]{32,36}\t/i;

/**
 * Returns the rows of a backup of Jellyfin's Playback Reporting, which has no line of columns and quotes nothing: when it began, on
 * the server's clock, whose, and, last, for how many seconds.
 */
export function readJellyfin(text: string): FileRows | undefined {
  if (!JELLYFIN.test(text)) return undefined;
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return toRows(
    'jellyfin',
    lines.map((line) => {
      const cells = line.split('\t');
      const from = readInstant(cells[0] ?? '', { order: 'dmy' });
      return { name: cells[1] ?? '', from, to: plus(from, readDuration(cells.at(-1) ?? '')) };
    }),
  );
}
