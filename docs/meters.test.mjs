import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { recipes } from '../web/src/features/meters/recipes.ts';

it.each(recipes)('the recipe for $title is in the documents as it is in the app', ({ parts }) => {
  const page = readFileSync(new URL('meters.md', import.meta.url), 'utf8');
  for (const { text } of parts) expect(page).toContain(text);
});
