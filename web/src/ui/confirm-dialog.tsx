import { AlertDialog as Base } from '@base-ui/react/alert-dialog';
import { useEffect, useRef, type ReactNode } from 'react';
import { keepFocusInPage } from './focus.ts';
import { t } from '../platform/i18n/messages.ts';
import { Banner } from './banner.tsx';
import { Button, type ButtonLook } from './button.tsx';
import { ConnectionLine } from './connection-line.tsx';
import { IdentityPlace } from './identity-place.tsx';

interface ConfirmDialogProps {
  title: ReactNode;
  /** What will happen, unless the title says it. */
  children?: ReactNode;
  /** Fields, which aren't part of the description that screen readers read. */
  form?: ReactNode;
  /** Whether the first field gets the initial focus, for forms whose consequences are harmless. */
  startsInForm?: boolean;
  /** "Cancel" by default. */
  cancel?: string;
  confirm: string;
  /** The look of the confirm button. */
  look?: ButtonLook;
  busyText?: string;
  busy?: boolean;
  failure?: string | null;
  /** For questions that follow one another; each starts with the focus on Cancel. */
  step?: number;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before an action that others notice or that can't be undone. Cancel has the initial focus, so that a hasty Enter does no harm. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const cancelButton = useRef<HTMLButtonElement>(null);
  const form = useRef<HTMLDivElement>(null);
  // What was confirmed may remove the button that asked for it.
  useEffect(() => keepFocusInPage, []);
  const { step = 0 } = props;
  useEffect(() => {
    if (step > 0) cancelButton.current?.focus();
  }, [step]);
  return (
    <Base.Root open onOpenChange={(open) => !open && !props.busy && props.onCancel()}>
      <Base.Portal>
        <Base.Backdrop forceRender className="fixed inset-0 z-60 bg-veil" />
        <Base.Popup
          initialFocus={() =>
            (props.startsInForm && form.current?.querySelector<HTMLElement>('input:not([hidden])')) ||
            cancelButton.current
          }
          className="fixed top-1/2 left-1/2 z-70 max-h-[calc(100dvh-32px)] w-[440px] max-w-[calc(100vw-28px)] -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-paper border border-line bg-raised p-5 outline-none sm:p-6"
        >
          <ConnectionLine className="-mx-5 -mt-5 mb-5 sm:-mx-6 sm:-mt-6" innerClassName="px-5 sm:px-6" />
          <Base.Title className="font-display text-[20px] leading-tight font-bold [overflow-wrap:anywhere]">
            {props.title}
          </Base.Title>
          {props.children && (
            <Base.Description render={<div />} className="mt-2 grid gap-2 text-muted [overflow-wrap:anywhere]">
              {props.children}
            </Base.Description>
          )}
          {props.form && (
            <div ref={form} className="mt-4">
              {props.form}
            </div>
          )}
          {typeof props.failure === 'string' && <Banner className="mt-4">{props.failure}</Banner>}
          <div className="mt-5 flex flex-wrap justify-end gap-2.5 max-sm:[&>button]:flex-1">
            <Button ref={cancelButton} look="outline" onClick={props.onCancel} disabled={props.busy}>
              {props.cancel ?? t('Cancel')}
            </Button>
            <Button
              look={props.look ?? 'danger'}
              busy={props.busy ?? false}
              {...(props.busyText !== undefined && { busyText: props.busyText })}
              onClick={props.onConfirm}
            >
              {props.confirm}
            </Button>
          </div>
          <IdentityPlace />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
