import type { OwnedAsset } from '@hourshare/contract/assets';
import { useEffect, useRef } from 'react';
import { ShareForm, useShareForm } from '../../../features/shares/share-form.tsx';
import { keepFocusInPage } from '../../../ui/focus.ts';
import { useUnsaved } from '../../../platform/forms/unsaved.ts';
import { DiscardQuestion } from '../../discard-question.tsx';

interface FirstShareProps {
  asset: OwnedAsset;
  /** While a dialog is open, which may have the same fields and asks about its own edits. What was typed stays. */
  hidden: boolean;
  /** Whether the form takes the focus when it is first shown. */
  focused: boolean;
  onEdited: (edited: boolean) => void;
  /** When it is sent. */
  onTry: () => void;
}

/** The form that shares someone's first asset. Once the asset is added, a name is the next thing to type. */
export function FirstShare({ asset, hidden, focused, onEdited, onTry }: FirstShareProps) {
  const sharing = useShareForm(asset);
  const { isDirty, isSubmitting: isSaving } = sharing.form.formState;
  // Hidden forms aren't there to keep their edits.
  useUnsaved(hidden && isDirty, { isSaving, isCovered: true });
  useEffect(() => {
    if (isSaving) onTry();
  }, [isSaving, onTry]);
  // A link is shown until it has been passed on.
  const isEdited = isDirty || sharing.made !== null;
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
    onEdited(isEdited);
    return () => onEdited(false);
  }, [isEdited, onEdited]);
  // The form leaves the page once it has shared the asset.
  useEffect(() => keepFocusInPage, []);
  if (hidden) return null;
  return (
    <div ref={fields}>
      <ShareForm asset={asset} sharing={sharing} />
      <DiscardQuestion />
    </div>
  );
}
