import type { OwnedAsset } from '@hourshare/contract/assets';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeServer } from '../../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../../testing/open-app.tsx';
import { anAsset, anEntry, aShare, serveLists } from '../../../testing/records.ts';
import { followSignIn } from '../../follow-sign-in.ts';

const unused = (change: Partial<OwnedAsset> = {}) => anAsset({ used: false, ...change });
const shared = unused({ shared_with: [anEntry(1, null, null), anEntry(2, 'ana', 40)] });

const steps = async () => within(await screen.findByRole('region', { name: 'Get started' }));
const current = async () => {
  const found = await steps();
  return found.getAllByRole('listitem').find((item) => item.getAttribute('aria-current') === 'step')?.textContent;
};

followSignIn();

beforeEach(prepareApp);
afterEach(cleanup);

describe('the first steps', () => {
  it('lead from a service to a shared asset, with the name filled in and the focus where to type', async () => {
    let assets: OwnedAsset[] = [];
    fakeServer((request) => {
      if (request.method === 'GET') return serveLists({ assets })(request);
      if (request.path !== '/api/assets/') assets = [{ ...shared, name: 'Spotify' }];
      else assets = [unused({ name: 'Spotify' })];
      return { status: 201, json: request.path === '/api/assets/' ? assets[0]! : shared.shared_with[1]! };
    });
    const user = await openApp('/dashboard');
    expect(await current()).toMatch(/^1Add/);
    await user.click((await steps()).getByRole('button', { name: 'Spotify' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add New Asset' }));
    expect(dialog.getByLabelText<HTMLInputElement>('Asset Name').value).toBe('Spotify');
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Monthly Subscription Cost ($)')));
    await user.keyboard('16.99{Enter}');

    await screen.findByRole('heading', { name: 'Who uses it with you?' });
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Monthly Hours')));
    expect(await current()).toMatch(/^2Share/);
    await user.keyboard('40{Tab}ana{Enter}');
    await screen.findByRole('heading', { name: "Waiting for ana's first session" });
    expect((await steps()).getByText('2 of 3 steps done')).toBeTruthy();
  });

  it('fill the name of an asset with one press on a tile, and go on to the cost', async () => {
    fakeServer(serveLists({}));
    const user = await openApp('/assets?add=true');
    const dialog = within(await screen.findByRole('dialog', { name: 'Add New Asset' }));
    const tiles = within(dialog.getByRole('group', { name: 'Common services' })).getAllByRole('button');
    expect(tiles).toHaveLength(12);
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Asset Name')));
    await user.click(dialog.getByRole('button', { name: 'Netflix' }));
    expect(dialog.getByLabelText<HTMLInputElement>('Asset Name').value).toBe('Netflix');
    expect(document.activeElement).toBe(dialog.getByLabelText('Monthly Subscription Cost ($)'));
    expect(dialog.getByRole('button', { name: 'Netflix', pressed: true })).toBeTruthy();
  });

  it('leave the fields of an open dialog the only ones', async () => {
    fakeServer(serveLists({ assets: [unused()] }));
    const user = await openApp('/dashboard');
    await screen.findByLabelText('Monthly Hours');
    await user.click(screen.getByRole('button', { name: 'Share' }));
    expect(await screen.findByRole('dialog', { name: /^Manage Asset: Films/ })).toBeTruthy();
    await waitFor(() => expect(screen.getAllByLabelText('Monthly Hours')).toHaveLength(1));
  });

  it('can be skipped', async () => {
    fakeServer(serveLists({ assets: [unused()] }));
    const user = await openApp('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Skip for now' }));
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
  });

  it.each([
    ['whose asset was used once, and is shared with no one now', { assets: [unused(), anAsset({ id: 4 })] }],
    ['whose only used asset is archived', { assets: [anAsset({ archived: true })] }],
    ['who uses what others share', { assets: [unused()], shares: [aShare()] }],
  ])('are not shown to someone %s', async (_, lists) => {
    fakeServer(serveLists(lists));
    await openApp('/dashboard');
    await screen.findByRole('region', { name: 'Your Assets' });
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
  });
});
