import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeServer } from '../../testing/fake-server.ts';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { About } from './about.tsx';

afterEach(cleanup);

it('says how costs are split, in the six sentences that open docs/how-costs-are-split.md', async () => {
  fakeServer(() => ({ status: 200, json: { contact: null } }));
  await renderInRouter(<About />);
  const sentences = within(screen.getByRole('list')).getAllByRole('listitem');
  expect(sentences.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('no month costs you more than what you last said yes to, for your own hours or days.'),
    'What an hour or a place costs is set by the fullest moment of the month.',
    expect.stringContaining("What is left is the owner's. Together it is the price, to the cent."),
    'Whatever would cost you more asks you first. Until you say yes, the owner covers the difference.',
    expect.stringContaining('A month closes 72 hours after it ends.'),
    'A payment counts when the person who receives it says so.',
  ]);
});
