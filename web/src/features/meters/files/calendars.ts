import ICAL from 'ical.js';
import { toRows, type FileRows } from './rows.ts';

const DAY_MS = 86_400_000;
/** No month that ended longer ago can be open. */
export const OPEN_DAYS = 70;
const OCCURRENCES_MAX = 50_000;

/**
 * Returns the events of a calendar that have ended, with whom they were made by or, without such, the calendar. Whole days, canceled
 * events, and repetitions of long ago are skipped.
 */
export function readCalendar(text: string, { now, fileName }: { now: number; fileName: string }): FileRows {
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  const titleOf = calendar.getFirstPropertyValue('x-wr-calname');
  const calendarName = typeof titleOf === 'string' && titleOf !== '' ? titleOf : fileName.replace(/\.\w+$/, '');
  const given: { name: string; from: number; to: number }[] = [];
  let skipped = 0;
  const add = (event: ICAL.Event, start: ICAL.Time, end: ICAL.Time) => {
    const status = event.component.getFirstPropertyValue('status');
    const [from, to] = [start.toJSDate().getTime(), end.toJSDate().getTime()];
    if (start.isDate || status === 'CANCELLED' || to > now) skipped += 1;
    else given.push({ name: nameOf(event) ?? calendarName, from, to });
  };
  for (const component of calendar.getAllSubcomponents('vevent')) {
    const event = new ICAL.Event(component);
    if (event.isRecurrenceException()) continue;
    if (!event.isRecurring()) {
      add(event, event.startDate, event.endDate);
      continue;
    }
    const occurrences = event.iterator();
    for (let count = 0; count < OCCURRENCES_MAX; count++) {
      const occurrence: ICAL.Time | undefined = occurrences.next();
      if (!occurrence || occurrence.toJSDate().getTime() > now) break;
      const { item, startDate, endDate } = event.getOccurrenceDetails(occurrence);
      if (endDate.toJSDate().getTime() >= now - OPEN_DAYS * DAY_MS) add(item, startDate, endDate);
    }
  }
  ICAL.TimezoneService.reset();
  return toRows('calendar', given, skipped);
}

function nameOf({ component }: ICAL.Event): string | undefined {
  const organizer = component.getFirstProperty('organizer');
  const name = organizer?.getParameter('cn');
  if (typeof name === 'string' && name !== '') return name;
  const address = organizer?.getFirstValue();
  return typeof address === 'string' ? address.replace(/^mailto:/i, '') : undefined;
}
