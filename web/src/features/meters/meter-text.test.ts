import type { MeterName } from '@hourshare/contract/meters';
import { expect, it } from 'vitest';
import { heardText } from './meter-text.ts';

const now = Date.parse('2026-11-29T21:00:00Z');
const ben: MeterName = {
  external_name: 'Ben',
  share_id: 7,
  waiting_events: 0,
  waiting_hours: 0,
  last_event_at: '2026-11-28T20:00:00Z',
};

it('says that a meter sent nothing yet, unless a file brought names', () => {
  expect(heardText({ last_event_at: null, names: [] }, now)).toBe('Nothing received yet');
  expect(heardText({ last_event_at: null, names: [ben] }, now)).toBeUndefined();
});

it('says since when a meter has been silent after a day', () => {
  const at = (last_event_at: string) => heardText({ last_event_at, names: [ben] }, now);
  expect(at('2026-11-29T20:00:00Z')).toMatch(/^Last heard /);
  expect(at('2026-11-28T20:00:00Z')).toMatch(/^Silent since /);
});
