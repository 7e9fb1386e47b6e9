import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { anIdleFinding } from '../../testing/records.ts';
import { InsightList } from './insight-list.tsx';

afterEach(cleanup);

it('a long list of insights shows the first five, and moves the focus to the sixth when asked for all', async () => {
  render(<InsightList insights={Array.from({ length: 7 }, (_, asset_id) => anIdleFinding({ asset_id }))} />);
  expect(screen.getAllByRole('listitem')).toHaveLength(5);
  await userEvent.click(screen.getByRole('button', { name: 'Show all 7' }));
  const items = screen.getAllByRole('listitem');
  expect(items).toHaveLength(7);
  expect(document.activeElement).toBe(items[5]);
});
