import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { useSelector } from '@tanstack/react-store';
import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { dismiss, dismissAll, toasts, type Toast } from './toasts.ts';
import { keepFocusInPage } from './focus.ts';
import { t } from '../platform/i18n/messages.ts';
import { paths, type DialogSearch } from '../platform/paths.ts';
import { classes } from './class-names.ts';

const SHOWN_MS = 6_000;

/**
 * What was announced, for the eye and for screen readers. Always mounted, because a live region inserted together with
 * its text is often not read. Pointing at the toasts or focusing one keeps them. F6 moves the focus to the latest, also
 * out of a dialog. Not Base UI's, each of which is a dialog to screen readers.
 */
export function Toasts() {
  const shown = useSelector(toasts);
  const region = useRef<HTMLDivElement>(null);
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  // Some news comes only after a sign-out; the next user doesn't get it either.
  useEffect(() => {
    dismissAll();
    return dismissAll;
  }, []);

  // An element that is removed fires neither blur nor pointerleave.
  useEffect(() => {
    if (shown.length > 0 && !region.current?.contains(document.activeElement)) setFocused(false);
  }, [shown]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const latest = region.current?.lastElementChild?.querySelector<HTMLElement>('a, button');
      if (event.key !== 'F6' || !latest || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      latest.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const close = (id: number) => {
    dismiss(id);
    setPointed(false);
    keepFocusInPage();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only keeps what is pointed at or focused
    <div
      ref={region}
      role="status"
      aria-live="polite"
      // Reads only the new toast.
      aria-atomic="false"
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      className="fixed inset-x-3 bottom-[calc(12px+var(--bars))] z-60 mx-auto grid max-w-[480px] gap-2 transition-[bottom] duration-[180ms] md:start-[calc(var(--side)+max(12px,(100vw-var(--shell))/2))] md:end-[max(12px,calc((100vw-var(--shell))/2))] md:bottom-6 print:hidden"
    >
      {shown.map((toast) => (
        <ToastRow key={toast.id} toast={toast} paused={isPointed || isFocused} onClose={() => close(toast.id)} />
      ))}
    </div>
  );
}

const action =
  'inline-flex min-h-11 shrink-0 items-center justify-center rounded-control font-semibold outline-current!';

function ToastRow({ toast, paused, onClose }: { toast: Toast; paused: boolean; onClose: () => void }) {
  const { id, text, detail, failed = false, edit, share, undo } = toast;
  useEffect(() => {
    if (paused) return undefined;
    const timer = setTimeout(() => dismiss(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [paused, id]);
  const Icon = failed ? TriangleAlert : CircleCheck;
  return (
    <div
      className={classes(
        'flex items-center gap-3 min-h-12.5 rounded-tile ps-4 pe-1.5 py-1 shadow-lg',
        'transition duration-150 starting:translate-y-2 starting:opacity-0',
        failed ? 'bg-over text-over-ink' : 'bg-ink text-surface',
      )}
    >
      <Icon aria-hidden size={18} className="shrink-0" />
      <div className="min-w-0 flex-1 py-1.5">
        <p className="font-medium [overflow-wrap:anywhere]">{text}</p>
        {detail !== undefined && <p className="figures">{detail}</p>}
      </div>
      {/* Not read along with the message. */}
      <div aria-live="off" className="flex shrink-0">
        {edit && <DialogLink to={paths.shared} search={edit} text={t('Edit')} onClick={onClose} />}
        {share && <DialogLink to={paths.assets} search={share} text={t('Share [[verb]]')} onClick={onClose} />}
        {undo && (
          <button
            type="button"
            className={`${action} px-3 underline underline-offset-3`}
            onClick={() => {
              undo();
              onClose();
            }}
          >
            {t('Undo')}
          </button>
        )}
        <button type="button" aria-label={t('Dismiss')} onClick={onClose} className={`${action} w-11`}>
          <X aria-hidden size={18} />
        </button>
      </div>
    </div>
  );
}

interface DialogLinkProps {
  to: typeof paths.shared | typeof paths.assets;
  search: DialogSearch;
  text: string;
  onClick: () => void;
}

/** Closing the dialog returns to the page it was opened from; a dialog that is open already is replaced. */
function DialogLink({ to, search, text, onClick }: DialogLinkProps) {
  const current: DialogSearch = useSearch({ strict: false });
  const { pathname } = useLocation();
  // The analytics page uses the same parameter for what it shows.
  const isOpen = pathname !== paths.analytics && (current.share !== undefined || current.asset !== undefined);
  return (
    <Link
      to={to}
      search={search}
      replace={isOpen}
      state={isOpen ? (before) => before : { opened: true }}
      onClick={onClick}
      className={`${action} px-3 underline underline-offset-3`}
    >
      {text}
    </Link>
  );
}
