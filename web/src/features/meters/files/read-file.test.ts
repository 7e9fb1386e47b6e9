import { METER_ROWS_MAX } from '@hourshare/contract/limits';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChosen, readFile, type FileRow } from './read-file.ts';
import bookings from './samples/bookings.ics?raw';
import clockify from './samples/clockify.csv?raw';
import evcc from './samples/evcc-sessions.csv?raw';
import outlook from './samples/outlook-german.ics?raw';
import jellyfin from './samples/playback-reporting.tsv?raw';
import tautulli from './samples/tautulli.json?raw';
import toggl from './samples/toggl.csv?raw';
import netflix from './samples/viewing-activity.csv?raw';

const now = Date.parse('2026-03-30T12:00:00Z');
const place = { now, order: 'mdy' } as const;

const fileOf = (content: string | Uint8Array, name = 'file.csv') => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { name, size: bytes.length, arrayBuffer: () => Promise.resolve(Uint8Array.from(bytes).buffer) };
};
const read = (content: string | Uint8Array, name?: string, order: 'dmy' | 'mdy' = 'mdy') =>
  readFile(fileOf(content, name), { now, order });
const rowsOf = async (...given: Parameters<typeof read>) => {
  const reading = await read(...given);
  if (reading.kind !== 'rows') throw new Error(JSON.stringify(reading));
  return reading;
};
/** Seconds by name. */
const secondsOf = (rows: readonly FileRow[]) => {
  const sums: Record<string, number> = {};
  for (const { name, start, end } of rows)
    sums[name] = (sums[name] ?? 0) + (Date.parse(end) - Date.parse(start)) / 1000;
  return sums;
};
/** As an instant of this computer's clock. */
const local = (text: string) => new Date(text).toISOString();

/** What spreadsheets in German make of a file: semicolons, dates with the day first, CRLF, and a byte order mark. */
const inGerman = (text: string) =>
  `\uFEFF${text
    .split('\n')
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
        .slice(0, line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).length)
        .map(([, cell = '']) => cell.replaceAll(/\b(\d{4})-(\d\d)-(\d\d)\b/g, '$3.$2.$1'))
        .join(';'),
    )
    .join('\r\n')}`;

describe('a viewing activity of Netflix', () => {
  /** As `awk` would add it up: the durations of rows without a type of supplemental video. */
  const byScript = netflix
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => /^("[^"]*"|[^,]*),[^,]*,(\d+):(\d+):(\d+),[^,]*,"(?:[^"]|"")*",([^,]*),/.exec(line) ?? [])
    .filter((cells) => cells[5] === '')
    .reduce<Record<string, number>>((sums, [, name = '', h, m, s]) => {
      const key = name.replaceAll('"', '');
      return { ...sums, [key]: (sums[key] ?? 0) + Number(h) * 3600 + Number(m) * 60 + Number(s) };
    }, {});

  it('has the hours of each profile that a script adds up, without trailers', async () => {
    const { source, rows, skipped } = await rowsOf(netflix, 'ViewingActivity.csv');
    expect(source).toBe('netflix');
    expect(Object.keys(byScript)).toHaveLength(6);
    expect(secondsOf(rows)).toEqual(byScript);
    expect(rows.length + skipped).toBe(60);
    expect(rows[0]).toEqual({ name: 'Mira', start: '2026-03-01T00:00:00.000Z', end: '2026-03-01T00:00:01.000Z' });
  });

  it('is the same from a spreadsheet in German, in UTF-16, and with CRLF', async () => {
    const { rows } = await rowsOf(netflix);
    expect((await rowsOf(inGerman(netflix))).rows).toEqual(rows);
    expect((await rowsOf(netflix.replaceAll('\n', '\r\n'))).rows).toEqual(rows);
    const wide = new Uint8Array(Uint16Array.from(Array.from(`\uFEFF${netflix}`, (one) => one.charCodeAt(0))).buffer);
    expect((await rowsOf(wide)).rows).toEqual(rows);
  });

  it('leaves titles, devices, and countries behind', async () => {
    const { rows } = await rowsOf(netflix);
    expect(JSON.stringify(rows)).not.toMatch(/Show|Season|Episode|Samsung|United|Autoplayed/);
    expect(new Set(rows.flatMap((row) => Object.keys(row)))).toEqual(new Set(['name', 'start', 'end']));
  });
});

describe('time trackers', () => {
  const expected = [
    { name: 'Mira', start: local('2026-03-05T09:12:34'), end: local('2026-03-05T11:42:34') },
    { name: 'Ben', start: local('2026-03-05T23:30:00'), end: local('2026-03-06T00:45:00') },
  ];

  it('Toggl: people, and times of this clock; what still runs is skipped', async () => {
    const third = { name: 'zoe@example.org', start: local('2026-03-13T10:00:00'), end: local('2026-03-13T10:20:00') };
    for (const text of [toggl, inGerman(toggl), toggl.replace('End date,End time', 'Stop date,Stop time')])
      expect(await rowsOf(text)).toEqual({ kind: 'rows', source: 'toggl', rows: [...expected, third], skipped: 1 });
  });

  it('Clockify: dates in the order of the whole column', async () => {
    const third = { name: 'Zoë', start: local('2026-03-13T10:00:00'), end: local('2026-03-13T10:20:00') };
    const inBritain = clockify.replaceAll(/03\/(\d\d)\/2026/g, '$1/03/2026');
    for (const text of [clockify, inBritain, clockify.replaceAll(/(\d\d)\/(\d\d)\/2026/g, '2026-$1-$2')])
      for (const order of ['dmy', 'mdy'] as const)
        expect(await rowsOf(text, 'c.csv', order)).toMatchObject({ source: 'clockify', rows: [...expected, third] });
  });

  it('reads dates that are right in both orders in that of the reader', async () => {
    const text = clockify.split('\n').slice(0, 2).join('\n');
    expect((await rowsOf(text, 'c.csv', 'dmy')).rows[0]?.start).toBe(local('2026-05-03T09:12:34'));
    expect((await rowsOf(text, 'c.csv', 'mdy')).rows[0]?.start).toBe(local('2026-03-05T09:12:34'));
  });
});

describe('media servers', () => {
  it.each([jellyfin, jellyfin.replaceAll('\n', '\r\n')])('Jellyfin: users and how long they played', async (text) => {
    const { source, rows, skipped } = await rowsOf(text, 'backup.tsv');
    expect(source).toBe('jellyfin');
    expect(secondsOf(rows)).toEqual({
      '0d8f9c1e2b3a4d5e6f708192a3b4c5d6': 6900,
      aaaaaaaabbbbccccddddeeeeeeeeeeee: 240,
    });
    expect(rows[0]?.start).toBe(local('2026-03-05T20:15:30.123'));
    expect(skipped).toBe(1);
  });

  it('Tautulli: without pauses and what still plays', async () => {
    const { response } = JSON.parse(tautulli) as { response: { data: { data: object[] } } };
    for (const json of [{ response }, response.data.data, { data: response.data.data }]) {
      const { source, rows, skipped } = await rowsOf(JSON.stringify(json), 'history.json');
      expect(source).toBe('tautulli');
      expect(secondsOf(rows)).toEqual({ Mira: 3360, ben: 1800 });
      expect(skipped).toBe(1);
    }
  });
});

it('evcc: vehicles, or the card, in each language, without what still charges', async () => {
  const english = 'Created,Finished,Charging point,Identifier,Vehicle';
  const headings = [
    english,
    'Startzeit,Endzeit,Ladepunkt,Kennung,Fahrzeug',
    'Hora de inicio,Terminado,Punto de carga,Identificador,Vehículo',
    'Créé,Terminé,Point de charge,Identifiant,Véhicule',
    'Hora de início,Hora final,Posto de Carregamento,Identificador,Veículo',
    '作成日時,終了日時,充電ポイント,識別子,車両',
  ];
  for (const heading of headings) {
    const { source, rows, skipped } = await rowsOf(`\uFEFF${evcc.replace(english, heading)}`);
    expect(source).toBe('evcc');
    expect(secondsOf(rows)).toEqual({ 'e-Golf': 3.5 * 3600, 'RFID-2': 3 * 3600 });
    expect(skipped).toBe(1);
  }
});

describe('a calendar', () => {
  it('says who used it when, with repetitions, and without titles', async () => {
    const { source, rows } = await rowsOf(bookings, 'bike.ics');
    expect(source).toBe('calendar');
    expect(rows).toEqual([
      { name: 'Mira', start: '2026-03-05T09:00:00.000Z', end: '2026-03-05T11:30:00.000Z' },
      { name: 'ben@example.org', start: '2026-03-02T07:00:00.000Z', end: '2026-03-02T07:45:00.000Z' },
      { name: 'ben@example.org', start: '2026-03-16T08:00:00.000Z', end: '2026-03-16T09:00:00.000Z' },
      { name: 'ben@example.org', start: '2026-03-23T07:00:00.000Z', end: '2026-03-23T07:45:00.000Z' },
      // Summer time has begun.
      { name: 'ben@example.org', start: '2026-03-30T06:00:00.000Z', end: '2026-03-30T06:45:00.000Z' },
      { name: 'Cargo bike', start: '2026-03-06T12:00:00.000Z', end: '2026-03-06T13:00:00.000Z' },
    ]);
    expect(
      (await rowsOf(bookings.replaceAll('\n', '\r\n').replace('X-WR-CALNAME:Cargo bike\r\n', ''), 'bike.ics')).rows.at(
        -1,
      )?.name,
    ).toBe('bike');
  });
});

describe('a calendar of Outlook in German', () => {
  const expected = [
    { name: 'Müller, Jörg', start: '2026-03-05T09:00:00.000Z', end: '2026-03-05T11:30:00.000Z' },
    { name: 'Zoë Weiß', start: '2026-03-23T17:00:00.000Z', end: '2026-03-23T17:45:00.000Z' },
    // Summer time has begun.
    { name: 'Zoë Weiß', start: '2026-03-30T16:00:00.000Z', end: '2026-03-30T16:45:00.000Z' },
    { name: 'Gemeinschaftsgarten Müllerstraße', start: '2026-03-06T16:00:00.000Z', end: '2026-03-06T17:00:00.000Z' },
  ];
  const crlf = outlook.replaceAll('\n', '\r\n');
  const evening = Date.parse('2026-03-30T20:00:00Z');
  const rowsAt = async (content: string | Uint8Array) => {
    const reading = await readFile(fileOf(content, 'Kalender.ics'), { now: evening, order: 'dmy' });
    return reading.kind === 'rows' ? reading.rows : reading;
  };

  it('has the time zone as it is called there', async () => {
    expect(await rowsAt(outlook)).toEqual(expected);
    expect(await rowsAt(crlf)).toEqual(expected);
  });

  it('may be folded within a letter', async () => {
    const bytes = [...new TextEncoder().encode(crlf)];
    const folded = bytes.flatMap((byte) => (byte >= 0xc2 ? [byte, 13, 10, 32] : byte));
    expect(await rowsAt(Uint8Array.from(folded))).toEqual(expected);
  });
});

describe('any table', () => {
  const text =
    'Wer;Wofür;Von;Bis\r\nMira;"Umzug; groß";05.03.2026 10:00;05.03.2026 12:30\r\nBen;;2026-03-06T10:00:00+01:00;2026-03-06T11:00:00+01:00\r\n';

  it('is read with the columns that someone chooses', async () => {
    const reading = await read(text);
    if (reading.kind !== 'table') throw new Error(JSON.stringify(reading));
    expect(reading.table.columns).toEqual(['Wer', 'Wofür', 'Von', 'Bis']);
    expect(reading.likely).toEqual({ name: 0, start: 2, end: 3 });
    expect(readChosen(reading.table, reading.likely, place)).toMatchObject({
      source: 'table',
      rows: [
        { name: 'Mira', start: local('2026-03-05T10:00'), end: local('2026-03-05T12:30') },
        { name: 'Ben', start: '2026-03-06T09:00:00.000Z', end: '2026-03-06T10:00:00.000Z' },
      ],
    });
    expect(readChosen(reading.table, { name: 1, start: 0, end: 3 }, place)).toEqual({
      kind: 'problem',
      problem: 'no_rows',
    });
  });

  it('saved by an old spreadsheet keeps its letters', async () => {
    const bytes = Uint8Array.from(Array.from(text, (letter) => letter.charCodeAt(0)));
    expect(await read(bytes)).toMatchObject({ table: { columns: ['Wer', 'Wofür', 'Von', 'Bis'] } });
  });
});

describe('what can not be imported', () => {
  it.each([
    ['unreadable', Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]), 'netflix-report.zip'],
    ['unreadable', '{"response": ', 'history.json'],
    ['unreadable', 'BEGIN:VCALENDAR\nBEGIN:VEVENT', 'broken.ics'],
    ['unknown', '{"name": "Ben"}', 'x.json'],
    ['unknown', '[{"title": "A film"}]', 'x.json'],
    ['unknown', 'Dear Ben,\nsee you tomorrow', 'letter.txt'],
    ['no_rows', '', 'empty.csv'],
    ['no_rows', netflix.split('\n')[0] ?? '', 'ViewingActivity.csv'],
    ['no_rows', 'BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR', 'empty.ics'],
  ])('%s: %#', async (problem, content, name) => {
    expect(await read(content, name)).toEqual({ kind: 'problem', problem });
  });

  const many = (count: number, day: string, name = (index: number) => `Ben ${index % 3}`) =>
    `Profile Name,Start Time,Duration\n${Array.from({ length: count }, (_, index) => `${name(index)},${day} 10:00:00,00:10:00`).join('\n')}`;

  it('has more rows than a call may have, or names than a meter', async () => {
    expect(await read(many(METER_ROWS_MAX + 1, '2026-03-05'))).toMatchObject({ problem: 'too_many_rows' });
    expect(await rowsOf(many(METER_ROWS_MAX, '2026-03-05'))).toMatchObject({ skipped: 0 });
    expect(await read(many(201, '2026-03-05', String))).toMatchObject({ problem: 'too_many_names' });
  });

  it('leaves out what is of long ago, of a file with more rows than that', async () => {
    const text = `${many(METER_ROWS_MAX, '2024-03-05')}\nBen,2026-03-05 10:00:00,00:10:00`;
    expect(await rowsOf(text)).toMatchObject({ rows: [{ name: 'Ben' }], skipped: METER_ROWS_MAX });
  });
});

it('reads anything without failing, and returns what the server takes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.constantFrom('Profile Name', 'Start Time', 'Duration', '"', '2026-03-05 10:00', '1:00:00', '\u0000'),
          ),
          { maxLength: 5 },
        ),
        { maxLength: 6 },
      ),
      fc.constantFrom(',', ';', '\t'),
      async (lines, separator) => {
        const reading = await read(lines.map((line) => line.join(separator)).join('\n'));
        expect(['rows', 'table', 'problem']).toContain(reading.kind);
        const rows = reading.kind === 'rows' ? reading.rows : [];
        expect(rows.filter(({ name, start, end }) => name.trim() === '' || start === end)).toEqual([]);
      },
    ),
    { numRuns: 200 },
  );
});
