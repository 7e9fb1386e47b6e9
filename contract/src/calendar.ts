import { z } from 'zod';
import { type EndpointTable, NoContent } from './calls.ts';
import { Instant } from './fields.ts';
import { LINK_TOKEN_MAX_LENGTH } from './limits.ts';

/** Since when a user's calendar has its address; null if it has none. */
export const Calendar = z.object({ since: Instant.nullable() }).meta({ id: 'Calendar' });

/** The address is shown only once. */
export const CalendarAddress = z.object({ since: Instant, address: z.string() }).meta({ id: 'CalendarAddress' });
export type CalendarAddress = z.infer<typeof CalendarAddress>;

export const calendarEndpoints = {
  'GET /api/me/calendar/': {
    summary: "Get whether the user's calendar has an address",
    answers: { 200: Calendar },
  },
  'POST /api/me/calendar/': {
    summary: "Give the user's calendar an address, which is shown only once and replaces the one before",
    recentCheck: true,
    idempotent: true,
    secret: true,
    answers: { 201: CalendarAddress },
  },
  'DELETE /api/me/calendar/': {
    summary: "Remove the address of the user's calendar",
    answers: { 204: NoContent },
  },
  'GET /api/calendar/{token}.ics': {
    summary: "Read a user's sessions and when their months close, as an iCalendar file",
    public: true,
    params: z.strictObject({ token: z.string().max(LINK_TOKEN_MAX_LENGTH) }),
    file: 'text/calendar',
    answers: { 200: z.any() },
  },
} as const satisfies EndpointTable;
