import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announce } from '../lib/announcements.ts';
import { sessionDialog } from '../lib/paths.ts';
import { renderInRouter } from '../testing/render-in-router.tsx';
import { Toasts } from './toasts.tsx';

const region = () => screen.getByRole('status');
const tell = (...input: Parameters<typeof announce>) => act(() => announce(...input));
const wait = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds));

beforeEach(async () => {
  await renderInRouter(<Toasts />);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

describe('toasts', () => {
  it('show an announcement for six seconds in a live region that was there before', () => {
    const before = region();
    expect(before.textContent).toBe('');
    tell('Saved.', { detail: 'All of it' });
    expect(region()).toBe(before);
    expect(region().getAttribute('aria-live')).toBe('polite');
    expect(region().textContent).toBe('Saved.All of it');
    wait(5_999);
    expect(region().textContent).toContain('Saved.');
    wait(1);
    expect(region().textContent).toBe('');
  });

  it('are three at most, and a repeated one replaces the earlier', () => {
    for (const text of ['One', 'Two', 'One', 'Three', 'Four']) tell(text);
    expect(
      within(region())
        .getAllByText(/\w+/, { selector: 'p' })
        .map((text) => text.textContent),
    ).toEqual(['One', 'Three', 'Four']);
  });

  it('take back what they announce, once', () => {
    const undo = vi.fn<() => void>();
    tell('Marked 2 charges as paid.', { undo });
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(undo).toHaveBeenCalledOnce();
    expect(region().textContent).toBe('');
  });

  it('stay while pointed at', () => {
    tell('Saved.');
    fireEvent.pointerEnter(region());
    wait(60_000);
    expect(region().textContent).toContain('Saved.');
    fireEvent.pointerLeave(region());
    wait(6_000);
    expect(region().textContent).toBe('');
  });

  it('stay while focused', () => {
    tell('Saved.');
    const button = screen.getByRole('button', { name: 'Dismiss' });
    act(() => button.focus());
    wait(60_000);
    expect(region().textContent).toContain('Saved.');
    act(() => button.blur());
    wait(6_000);
    expect(region().textContent).toBe('');
  });

  it('can be dismissed, and the rest still leave in time', () => {
    tell('One');
    tell('Two');
    fireEvent.pointerEnter(region());
    fireEvent.click(screen.getAllByRole('button', { name: 'Dismiss' })[0]!);
    expect(region().textContent).toBe('Two');
    wait(6_000);
    expect(region().textContent).toBe('');
  });

  it('link to what can be edited', () => {
    tell('Session ended', { edit: sessionDialog(7, 1) });
    const link = screen.getByRole('link', { name: 'Edit' });
    expect(link.getAttribute('href')).toBe('/shared?share=7&tab=sessions&session=1');
  });

  it('are gone with the page of the user they were for', async () => {
    tell('Saved.');
    cleanup();
    vi.useRealTimers();
    await renderInRouter(<Toasts />);
    expect(region().textContent).toBe('');
  });
});
