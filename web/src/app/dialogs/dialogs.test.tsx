import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeServer } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { anAsset, aShare, serveLists } from '../../testing/records.ts';
import { followSignIn } from '../follow-sign-in.ts';

const SINCE = '2026-11-21T10:00:00.000Z';

followSignIn();

beforeEach(prepareApp);
afterEach(cleanup);

async function open(address: string, change: Parameters<typeof aShare>[0] = {}) {
  fakeServer(serveLists({ assets: [anAsset()], shares: [aShare(change)] }));
  const user = await openApp(address);
  const element = await screen.findByRole('dialog', { name: /^(Add|Manage Asset:)/ });
  return { user, element, dialog: within(element) };
}

const tabs = (element: HTMLElement) =>
  within(element)
    .getAllByRole('tab')
    .map(({ textContent }) => textContent);
const selected = (element: HTMLElement) => within(element).getByRole('tab', { selected: true }).textContent;
const value = (element: HTMLElement, name: string) =>
  within(element).getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;

describe('the Add New Asset dialog', () => {
  it('requires a name and a cost of at least 0 in whole cents', async () => {
    const { dialog } = await open('/assets?add=true');
    const name = dialog.getByLabelText<HTMLInputElement>('Asset Name');
    const cost = dialog.getByLabelText<HTMLInputElement>('Monthly Subscription Cost ($)');
    expect([name.required, cost.required, cost.min, cost.step]).toEqual([true, true, '0', '0.01']);
    expect(dialog.getByLabelText('Description').tagName).toBe('TEXTAREA');
    expect(dialog.getByRole('button', { name: 'Create Asset' })).toBeTruthy();
  });

  it.each(['Cancel', 'Close dialog'])('closes with %s', async (button) => {
    const { user, dialog } = await open('/assets?add=true');
    await user.click(dialog.getByRole('button', { name: button }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(window.location.search).toBe('');
  });
});

it('a double press on Close goes back only once', async () => {
  fakeServer(serveLists({ assets: [anAsset()] }));
  const user = await openApp('/assets');
  await user.click(await screen.findByRole('button', { name: 'Manage' }));
  // Browsers take a moment to go back.
  const back = vi.spyOn(window.history, 'back').mockImplementation(() => {});
  await user.dblClick(await screen.findByRole('button', { name: 'Close' }));
  expect(back).toHaveBeenCalledTimes(1);
  back.mockRestore();
  window.history.back();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  // The next dialog closes, too.
  await user.click(screen.getByRole('button', { name: 'Manage' }));
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

describe('the Manage Asset dialog of an owned asset', () => {
  it('opens on the Details tab with editable fields', async () => {
    const { element, dialog } = await open('/assets?asset=3');
    expect(tabs(element)).toEqual(['Details', 'Share', 'Sessions', 'Analytics', 'Usage', 'Costs']);
    expect(selected(element)).toBe('Details');
    const name = dialog.getByLabelText<HTMLInputElement>('Asset Name');
    const description = dialog.getByLabelText<HTMLTextAreaElement>('Description');
    expect([name.value, name.required, name.readOnly]).toEqual(['Films', true, false]);
    expect([description.value, description.readOnly]).toEqual(['For the living room', false]);
    expect(dialog.getByRole('button', { name: 'Save Changes' })).toBeTruthy();
  });

  it('shares by username with 1 to 744 hours', async () => {
    const { dialog } = await open('/assets?asset=3&tab=share');
    const hours = dialog.getByLabelText<HTMLInputElement>('Monthly Hours');
    expect([hours.type, hours.min, hours.max, hours.step]).toEqual(['number', '1', '744', '1']);
    expect(dialog.getByText('Maximum 744 hours per month (31 days)')).toBeTruthy();
    expect(dialog.getByLabelText('Username')).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'Share Asset' })).toBeTruthy();
  });

  it('offers no usage tracking to the owner', async () => {
    const { dialog } = await open('/assets?asset=3&tab=usage');
    expect(dialog.getByText('Usage tracking not available for owned assets.')).toBeTruthy();
    expect(dialog.queryByRole('button', { name: 'Start Session' })).toBeNull();
  });

  it('offers to save only beside a form, or with unsaved edits', async () => {
    const { dialog, user } = await open('/assets?asset=3&tab=sessions');
    const save = () => dialog.queryByRole('button', { name: 'Save Changes' });
    expect(save()).toBeNull();
    await user.click(dialog.getByRole('tab', { name: 'Details' }));
    expect(save()).toBeTruthy();
    await user.type(dialog.getByLabelText('Description'), ' and the attic');
    await user.click(dialog.getByRole('tab', { name: 'Sessions' }));
    expect(save()).toBeTruthy();
  });
});

describe('the Manage Asset dialog of a shared asset', () => {
  it('opens on the Usage tab and has no Share tab', async () => {
    const { element } = await open('/shared?share=7');
    expect(tabs(element)).toEqual(['Details', 'Sessions', 'Analytics', 'Usage', 'Costs']);
    expect(selected(element)).toBe('Usage');
  });

  it('shows the details as read-only', async () => {
    const { element, dialog } = await open('/shared?share=7&tab=details');
    expect(['Name', 'Description', 'Owner'].map((name) => value(element, name))).toEqual(['Figma', 'Design', 'ben']);
    expect(dialog.queryByRole('textbox')).toBeNull();
    expect(dialog.queryByRole('button', { name: 'Save Changes' })).toBeNull();
  });

  it('caps the usage bar at 100% of the allocation', async () => {
    const { element, dialog } = await open('/shared?share=7', { usage_this_month: 25 });
    expect(dialog.getByRole('heading', { name: 'Current Month Usage' })).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'Refresh' })).toBeTruthy();
    expect([value(element, 'Used Hours'), value(element, 'Allocated Hours')]).toEqual(['25 h', '20 h']);
    expect(dialog.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('100');
  });

  it('shows an inactive session and offers to start one', async () => {
    const { element, dialog } = await open('/shared?share=7');
    expect(value(element, 'Session Status')).toBe('Inactive');
    expect(dialog.getByRole('button', { name: 'Start Session' })).toBeTruthy();
    expect(dialog.queryByText('Started')).toBeNull();
  });

  it('shows when the active session started and offers to end it', async () => {
    const { element, dialog } = await open('/shared?share=7', { active_session: true, active_since: SINCE });
    expect(value(element, 'Session Status')).toBe('Active');
    expect(value(element, 'Started')).toMatch(/\d/);
    expect(dialog.getByRole('button', { name: 'End Session' })).toBeTruthy();
  });
});

describe.each(['/assets?asset=3', '/shared?share=7'])('the dialog at %s', (address) => {
  it.each(['Close', 'Close dialog'])('closes with %s', async (button) => {
    const { user, dialog } = await open(address);
    await user.click(dialog.getByRole('button', { name: button }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
