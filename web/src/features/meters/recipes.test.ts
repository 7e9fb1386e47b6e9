import { expect, it } from 'vitest';
import { EXAMPLE_SERVER, EXAMPLE_TOKEN, filledIn, recipes, recipesFor, type Recipe } from './recipes.ts';

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

it.each(recipes.filter(({ tellsNames }) => !tellsNames))(
  'the recipe for $title names nobody with the token of one member',
  (recipe) => {
    const values = { server: EXAMPLE_SERVER, token: EXAMPLE_TOKEN, own: true };
    const own = textsOf(recipe).map((text) => filledIn(text, values));
    expect(own.join('\n')).not.toContain('"name"');
  },
);

it('a meter of totals has recipes of its own, and one with a token for each member none that name others', () => {
  const idsFor = (kind: 'sessions' | 'totals', own: boolean) => recipesFor({ kind, own }).map(({ id }) => id);
  expect(idsFor('totals', true)).toEqual(['claude_code']);
  expect(idsFor('sessions', false)).not.toContain('claude_code');
  expect(idsFor('sessions', true)).not.toContain('jellyfin');
});
