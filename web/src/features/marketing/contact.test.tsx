import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../../platform/http/query-client.ts';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { About } from './about.tsx';

beforeEach(() => queryClient.clear());
afterEach(cleanup);

const serveContact = (contact: string | null) => fakeServer(() => ({ status: 200, json: { contact } }));
const show = () => renderInRouter(<About />);

describe('the About page', () => {
  it.each([
    ['mira@example.org', 'mira@example.org', 'mailto:mira@example.org'],
    ['https://example.org/', 'example.org', 'https://example.org/'],
  ])("links the operator's contact %s", async (contact, text, address) => {
    serveContact(contact);
    await show();
    expect((await screen.findByRole('link', { name: text })).getAttribute('href')).toBe(address);
  });

  it('says who to ask when no contact is set', async () => {
    const received = serveContact(null);
    await show();
    await waitFor(() => expect(received.length).toBe(1));
    expect(screen.getByText(/whoever gave you the link/)).toBeTruthy();
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Open-source licenses',
      'Back to home',
    ]);
  });

  it('shows an error when the contact fails to load and retries in place', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    let isBroken = true;
    fakeServer(() =>
      isBroken
        ? errorReply(400, 'malformed_request', 'Broken.')
        : { status: 200, json: { contact: 'mira@example.org' } },
    );
    await show();
    expect((await screen.findByRole('alert')).textContent).toContain("Couldn't load the contact address.");
    isBroken = false;
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'mira@example.org' })).toBeTruthy();
  });
});
