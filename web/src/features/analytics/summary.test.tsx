import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { someAnalytics } from '../../testing/records.ts';
import { AnalyticsSummary, UsageStatistics } from './summary.tsx';

afterEach(cleanup);

const value = (name: string) => screen.getByText(name).nextElementSibling;

describe('analytics summary', () => {
  it('shows three figures with units', () => {
    render(<AnalyticsSummary analytics={someAnalytics()} past={false} />);
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Total Allocation20hrs',
      'Used This Month14.5hrs',
      'Utilization73%',
    ]);
  });

  it('shows sessions, average duration and remaining hours', () => {
    render(<UsageStatistics analytics={someAnalytics()} />);
    expect(screen.getByRole('region', { name: 'Usage Statistics' })).toBeTruthy();
    expect(value('Total Sessions')?.textContent).toBe('4');
    expect(value('Avg. Session Duration')?.textContent).toBe('217.5 mins');
    expect(value('Remaining Hours')?.textContent).toBe('5.5 hrs');
  });

  it.each([
    [true, 'Yes', 'bg-m2'],
    [false, 'No', 'bg-line-field'],
  ])('shows an active session (%s) as %s with a green or gray dot', (active_session, word, dot) => {
    render(<UsageStatistics analytics={someAnalytics({ active_session })} />);
    expect(value('Active Session')?.textContent).toBe(word);
    expect(value('Active Session')?.querySelector(`.${dot}`)).toBeTruthy();
  });
});
