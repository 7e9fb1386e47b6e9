import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NoConnection } from '../platform/http/errors.ts';
import type { NamedFile } from '../platform/http/call.ts';
import { DownloadCsv } from './download-csv.tsx';

/** The downloads the browser started. */
let saved: [name: string, url: string][];
const kept = new Map<string, Blob>();

beforeEach(() => {
  saved = [];
  kept.clear();
  vi.stubGlobal('URL', {
    createObjectURL: (content: Blob) => {
      kept.set(`blob:${kept.size}`, content);
      return `blob:${kept.size - 1}`;
    },
    revokeObjectURL: (url: string) => kept.delete(url),
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push([this.download, this.href]);
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const file = { name: 'sessions-films.csv', content: new Blob(['a,b']) };

function show(get: () => Promise<NamedFile>) {
  const client = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } });
  render(
    <QueryClientProvider client={client}>
      <DownloadCsv file={get} subject="all sessions" />
    </QueryClientProvider>,
  );
  return screen.getByRole('button', { name: 'Download CSV of all sessions' });
}

describe('the CSV download button', () => {
  it('saves the file under its name and releases it after a minute', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await userEvent.click(show(() => Promise.resolve(file)));
    expect(saved).toEqual([['sessions-films.csv', 'blob:0']]);
    expect([...kept.values()]).toEqual([file.content]);
    vi.advanceTimersByTime(60_000);
    expect(kept.size).toBe(0);
  });

  it('shows a busy state, keeps the focus and requests the file once', async () => {
    const get = vi.fn<() => Promise<NamedFile>>(() => new Promise(() => {}));
    const button = show(get);
    await userEvent.dblClick(button);
    expect(get).toHaveBeenCalledOnce();
    expect(button.textContent).toContain('Downloading...');
    expect([button.getAttribute('aria-busy'), document.activeElement]).toEqual(['true', button]);
  });

  it('shows an error and works on the next press', async () => {
    const get = vi.fn<() => Promise<NamedFile>>(() => Promise.resolve(file)).mockRejectedValueOnce(new Error('500'));
    const button = show(get);
    await userEvent.click(button);
    expect((await screen.findByRole('alert')).textContent).toBe("Couldn't download the file. Please try again.");
    expect(saved).toEqual([]);
    await userEvent.click(button);
    expect(saved).toHaveLength(1);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows a connection error', async () => {
    await userEvent.click(show(() => Promise.reject(new NoConnection())));
    expect((await screen.findByRole('alert')).textContent).toBe(
      "Can't reach the server. Check your connection and try again.",
    );
  });
});
