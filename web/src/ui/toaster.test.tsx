import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announce } from './toasts.ts';
import { assetDialog, sessionDialog } from '../platform/paths.ts';
import { renderInRouter } from '../testing/render-in-router.tsx';
import { Toasts } from './toaster.tsx';

const region = () => screen.getByRole('status');
const tell = (...input: Parameters<typeof announce>) => act(() => void announce(...input));
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

  it('undo what they announce, once', () => {
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

  it('stay if each can be undone, even with the same text', () => {
    const undone: string[] = [];
    tell('Marked 2 charges as paid.', { undo: () => void undone.push('first') });
    tell('Marked 2 charges as paid.', { undo: () => void undone.push('second') });
    for (const undo of screen.getAllByRole('button', { name: 'Undo' })) fireEvent.click(undo);
    expect(undone).toEqual(['first', 'second']);
  });

  it('are reached with F6, also out of a dialog, which gets the focus back', () => {
    const dialog = document.body.appendChild(document.createElement('div'));
    dialog.role = 'dialog';
    fireEvent.keyDown(document.body, { key: 'F6' });
    expect(document.activeElement).toBe(document.body);
    tell('One');
    tell('Two');
    fireEvent.keyDown(document.body, { key: 'F6' });
    const [, dismiss] = screen.getAllByRole('button', { name: 'Dismiss' });
    expect(document.activeElement).toBe(dismiss);
    fireEvent.click(dismiss!);
    wait(60);
    expect(document.activeElement).toBe(dialog);
    dialog.remove();
  });

  it('leave in time after later ones have pushed out the focused one', () => {
    tell('One');
    act(() => screen.getByRole('button', { name: 'Dismiss' }).focus());
    for (const text of ['Two', 'Three', 'Four']) tell(text);
    wait(6_000);
    expect(region().textContent).toBe('');
  });

  it('link to a dialog that opens over the analytics page', async () => {
    cleanup();
    vi.useRealTimers();
    const history = await renderInRouter(<Toasts />, '/analytics?share=7');
    tell('Session ended', { edit: sessionDialog(7, 1) });
    fireEvent.click(screen.getByRole('link', { name: 'Edit' }));
    await waitFor(() => expect(history.location.pathname).toBe('/shared'));
    history.back();
    expect(history.location.href).toBe('/analytics?share=7');
  });

  it('link to where to share what was added', () => {
    tell('Films added.', { share: assetDialog(3, 'share') });
    expect(screen.getByRole('link', { name: 'Share' }).getAttribute('href')).toBe('/assets?asset=3&tab=share');
  });

  it('are gone with the page of the user they were for', async () => {
    tell('Saved.');
    cleanup();
    vi.useRealTimers();
    await renderInRouter(<Toasts />);
    expect(region().textContent).toBe('');
  });
});
