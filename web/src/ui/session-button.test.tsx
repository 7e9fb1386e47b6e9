import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { SessionButton } from './session-button.tsx';

afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

it.each([
  [false, 'Start Session', 'start', 'End Session', 'end'],
  [true, 'End Session', 'end', 'Start Session', 'start'],
] as const)('ignores presses for half a second after it turned from %s', (running, name, verb, nextName, nextVerb) => {
  vi.useFakeTimers();
  const session = { busy: false, start: vi.fn<() => void>(), end: vi.fn<() => void>() };
  const { rerender } = render(<SessionButton running={running} session={session} />);
  const button = screen.getByRole('button', { name });
  fireEvent.click(button);
  expect(session[verb]).toHaveBeenCalledTimes(1);

  rerender(<SessionButton running={!running} session={session} />);
  // The same element, so that it keeps the focus.
  expect(screen.getByRole('button', { name: nextName })).toBe(button);
  act(() => void vi.advanceTimersByTime(499));
  fireEvent.click(button);
  expect(session[nextVerb]).not.toHaveBeenCalled();
  act(() => void vi.advanceTimersByTime(1));
  fireEvent.click(button);
  expect(session[nextVerb]).toHaveBeenCalledTimes(1);
});

it('is pressed once by a held Enter', () => {
  const session = { busy: false, start: vi.fn<() => void>(), end: vi.fn<() => void>() };
  render(<SessionButton running={false} session={session} />);
  const button = screen.getByRole('button', { name: 'Start Session' });
  // A key press that isn't canceled clicks the button.
  expect(fireEvent.keyDown(button, { key: 'Enter' })).toBe(true);
  expect(fireEvent.keyDown(button, { key: 'Enter', repeat: true })).toBe(false);
  expect(fireEvent.keyDown(button, { key: 'Tab', repeat: true })).toBe(true);
});
