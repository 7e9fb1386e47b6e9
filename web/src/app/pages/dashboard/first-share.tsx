import type { OwnedAsset } from '@hourshare/contract/assets';
import { useEffect, useRef } from 'react';
import { ShareForm } from '../../../features/shares/share-form.tsx';
import { keepFocusInPage } from '../../../lib/focus.ts';

/** The form that shares someone's first asset. After the asset was added, the next thing to type are the hours. */
export function FirstShare({ asset, focused }: { asset: OwnedAsset; focused: boolean }) {
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On touch, the keyboard would cover the page.
    if (focused && !window.matchMedia('(pointer: coarse)').matches) form.current?.querySelector('input')?.focus();
  }, [focused]);
  // The form leaves the page once it has shared the asset.
  useEffect(() => keepFocusInPage, []);
  return (
    <div ref={form}>
      <ShareForm asset={asset} hoursFirst />
    </div>
  );
}
