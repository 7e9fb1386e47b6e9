import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TryStart } from './try-start.tsx';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const advance = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds));

describe('the session on the landing page', () => {
  it('runs from one press to the next, and keeps how long it took', () => {
    render(<TryStart asset="Netflix Premium" />);
    expect(screen.queryByRole('timer')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Start Session', description: 'Netflix Premium' }));
    advance(65_000);
    expect(screen.getByRole('timer').textContent).toBe('0:01:05');
    fireEvent.click(screen.getByRole('button', { name: 'End Session' }));
    advance(65_000);
    expect(screen.queryByRole('timer')).toBeNull();
    expect(screen.getByText('0:01:05')).toBeTruthy();
  });
});
