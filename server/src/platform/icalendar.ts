// Hand-written, because the libraries for it need a newer Node.js or bring others for validation. Source: RFC 5545.

export interface CalendarEvent {
  /** The same whenever the event is written. */
  uid: string;
  start: Date;
  /** Exclusive. The event is a point in time if it is not after the start. */
  end: Date;
  /** Whether it takes whole days, from that of its start to before that of its end in UTC, wherever the reader is. */
  allDay?: boolean;
  summary: string;
  url: string;
}

const LINE_BYTES = 75;

/** Escapes a text value. */
const escapeText = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n?|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, '');

/** '2026-03-10T12:00:00.000Z' → '20260310T120000Z' */
const instant = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** 'DTSTART:20260310T120000Z', or of whole days 'DTSTART;VALUE=DATE:20260310' */
const timeLine = (name: string, at: Date, allDay = false): string =>
  allDay ? `${name};VALUE=DATE:${instant(at).slice(0, 8)}` : `${name}:${instant(at)}`;

/** Breaks a line so that none is longer than 75 bytes, and no character is cut. */
function fold(line: string): string {
  const lines: string[] = [];
  let [current, bytes] = ['', 0];
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > LINE_BYTES) {
      lines.push(current);
      [current, bytes] = [' ', 1];
    }
    current += character;
    bytes += size;
  }
  return [...lines, current].join('\r\n');
}

/** Returns an iCalendar file. Its events leave people free. */
export function writeCalendar({
  name,
  events,
  now,
  refreshMinutes,
}: {
  name: string;
  events: CalendarEvent[];
  now: Date;
  refreshMinutes: number;
}): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeText(name)}//EN`,
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:PT${refreshMinutes}M`,
    `X-PUBLISHED-TTL:PT${refreshMinutes}M`,
    ...events.flatMap(({ uid, start, end, allDay, summary, url }) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTAMP:${instant(now)}`,
      timeLine('DTSTART', start, allDay),
      // A program may refuse an end that isn't after the start.
      ...(instant(end) > instant(start) ? [timeLine('DTEND', end, allDay)] : []),
      `SUMMARY:${escapeText(summary)}`,
      `URL:${url}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}
