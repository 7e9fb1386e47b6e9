import { MeterEventsRequest } from '@hourshare/contract/meters';
import { expect, it } from 'vitest';
import { EXAMPLE_SERVER, EXAMPLE_TOKEN, filledIn, recipes, recipesFor, type Recipe } from './recipes.ts';

const NOW = '2026-03-10T12:00:00';
/** What the programs put in place of their variables. */
const VARIABLES: [RegExp, string][] = [
  [/\{\{#if_equals NotificationType .*?\{\{\/if_equals\}\}\{\{\/if_equals\}\}/, 'beat'],
  [/\{\{UtcTimestamp\}\}|\{\{ now\(\)\.isoformat\(\) \}\}/g, `${NOW}.1234567Z`],
  [/\{\{ type \}\}/g, 'start'],
  [/'\$\(date -u \+%FT%TZ\)'/g, `${NOW}Z`],
  [/\{utctime:\.19\}/g, NOW],
  [/DATE/g, `${NOW}+01:00`],
  [/\{\{[^}]*\}\}|\{[a-z_]+\}|'\$\(date \+%s\)'/g, '0b7c2c2b-1111-2222-3333-444455556666'],
];

/** Returns the JSON that a text has, as it is sent; undefined if it has none of its own. */
function sentBy(text: string): unknown {
  const json = /\{"events": \[\{[\s\S]*?\}\]\}(?!\})/.exec(
    VARIABLES.reduce((before, [pattern, value]) => before.replace(pattern, value), text),
  );
  return json === null ? undefined : JSON.parse(json[0]);
}

const textsOf = ({ parts }: Recipe) => parts.map(({ text }) => text);

it.each(recipes)('the recipe for $title has the address and the token of whoever reads it', (recipe) => {
  const values = { server: 'https://hourshare.lan:3000', token: 'hm_$&secret', own: false };
  const all = textsOf(recipe)
    .map((text) => filledIn(text, values))
    .join('\n');
  expect(all).toContain(`https://hourshare.lan:3000/${recipe.totals ? 'v1/metrics' : 'api/meters/events/'}`);
  expect(all).toContain('Bearer hm_$&secret');
  expect(all).not.toMatch(new RegExp(`${EXAMPLE_SERVER}|${EXAMPLE_TOKEN}`));
});

// A script makes the JSON of the other one.
it.each(recipes.filter(({ id, totals }) => id !== 'activitywatch' && !totals))(
  'the recipe for $title sends what the server takes, of someone',
  (recipe) => {
    const sent = textsOf(recipe).flatMap((text) => sentBy(text) ?? []);
    expect(sent.length).toBeGreaterThan(0);
    for (const body of sent) {
      const [event] = MeterEventsRequest.parse(body).events;
      expect(event?.name).toEqual(expect.any(String));
    }
  },
);

it.each(recipes.filter(({ tellsNames }) => !tellsNames))(
  'the recipe for $title names nobody with the token of one member',
  (recipe) => {
    const values = { server: EXAMPLE_SERVER, token: EXAMPLE_TOKEN, own: true };
    const own = textsOf(recipe).map((text) => filledIn(text, values));
    expect(own.join('\n')).not.toContain('"name"');
    for (const body of own.flatMap((text) => sentBy(text) ?? []))
      expect(MeterEventsRequest.safeParse(body).success).toBe(true);
  },
);

it('a meter of totals has recipes of its own, and one with a token for each member none that name others', () => {
  const idsFor = (kind: 'sessions' | 'totals', own: boolean) => recipesFor({ kind, own }).map(({ id }) => id);
  expect(idsFor('totals', true)).toEqual(['claude_code']);
  expect(idsFor('sessions', false)).not.toContain('claude_code');
  expect(idsFor('sessions', true)).not.toContain('jellyfin');
});
