import type { OwnedAsset } from '@hourshare/contract/assets';
import { useEffect, useRef } from 'react';
import { ShareForm, useShareForm } from '../../../features/shares/share-form.tsx';
import { keepFocusInPage } from '../../../lib/focus.ts';
import { useUnsaved } from '../../../lib/unsaved.ts';
import { DiscardQuestion } from '../../discard-question.tsx';

interface FirstShareProps {
  asset: OwnedAsset;
  /** While a dialog is open, which may have the same fields and asks about its own edits. What was typed stays. */
  hidden: boolean;
  /** Whether the form takes the focus when it is first shown. */
  focused: boolean;
  onEdited: (edited: boolean) => void;
}

/** The form that shares someone's first asset. Once the asset is added, the hours are the next thing to type. */
export function FirstShare({ asset, hidden, focused, onEdited }: FirstShareProps) {
  const form = useShareForm();
  const { isDirty, isSubmitting } = form.formState;
  // A hidden ShareForm isn't there to keep its edits.
  useUnsaved(hidden && isDirty, { isSaving: isSubmitting, isCovered: true });
  const fields = useRef<HTMLDivElement>(null);
  const takesFocus = useRef(focused);
  useEffect(() => {
    // On touch, the keyboard would cover the page.
    if (hidden || !takesFocus.current || window.matchMedia('(pointer: coarse)').matches) return undefined;
    // The dialog that added the asset first gives the focus back to what opened it.
    const timer = setTimeout(() => {
      takesFocus.current = false;
      fields.current?.querySelector('input')?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [hidden]);
  useEffect(() => {
    onEdited(isDirty);
    return () => onEdited(false);
  }, [isDirty, onEdited]);
  // The form leaves the page once it has shared the asset.
  useEffect(() => keepFocusInPage, []);
  if (hidden) return null;
  return (
    <div ref={fields}>
      <ShareForm asset={asset} form={form} hoursFirst />
      <DiscardQuestion />
    </div>
  );
}
