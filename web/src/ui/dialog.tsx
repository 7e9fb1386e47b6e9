import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { keepFocusInPage } from './focus.ts';
import { t } from '../platform/i18n/messages.ts';
import { ConnectionLine } from './connection-line.tsx';
import { IdentityPlace } from './identity-place.tsx';

interface DialogProps {
  title: ReactNode;
  description?: ReactNode;
  /** Shown before the title. */
  emblem?: ReactNode;
  /** A sheet has the full height of the window, at its inline end; a panel is a narrow one. */
  shape?: keyof typeof SHAPES;
  /** Shown before the button that closes it. */
  actions?: ReactNode;
  /** Where the focus starts; by default on the tab, or on the first empty field. */
  initialFocus?: RefObject<HTMLElement | null>;
  onClose: () => void;
  children: ReactNode;
}

const SHAPES = {
  window:
    'md:inset-auto md:top-[max(24px,8vh)] md:left-1/2 md:max-h-[84vh] md:w-[640px] md:max-w-[calc(100vw-48px)] md:-translate-x-1/2 md:rounded-paper md:border',
  sheet: 'sheet-in md:start-auto md:w-[640px] md:rounded-s-paper md:border-s',
  panel: 'sheet-in md:start-auto md:w-[480px] md:rounded-s-paper md:border-s',
};

/** Open while mounted; full-screen on phones. */
export function Dialog({
  title,
  description,
  emblem,
  shape = 'window',
  actions,
  initialFocus,
  onClose,
  children,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  useEffect(() => keepFocusInPage, []);
  // Focuses the tab or the first empty field, but not on touch, where the keyboard would cover the dialog.
  const chooseFocus = (interaction: string) => {
    if (interaction === 'touch' || !popup.current) return popup.current;
    const tab = popup.current.querySelector<HTMLElement>('[role=tab][aria-selected=true]');
    const fields = Array.from(popup.current.querySelectorAll<HTMLInputElement>('form input'));
    return tab ?? fields.find(({ value }) => value === '') ?? fields[0] ?? popup.current;
  };
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Base.Popup
          ref={popup}
          initialFocus={initialFocus ?? chooseFocus}
          className={`fixed inset-0 z-50 flex flex-col overflow-hidden border-line bg-raised outline-none ${SHAPES[shape]}`}
        >
          <ConnectionLine className="shrink-0" innerClassName="px-4 md:px-6" />
          <div className="flex shrink-0 items-start gap-3.5 px-4 pt-4 pb-2 md:px-6 md:pt-5">
            {emblem}
            <div className={`flex min-h-10 min-w-0 flex-col justify-center ${actions ? '' : 'flex-1'}`}>
              {/* Clamped, because the name may be very long. */}
              <Base.Title className="line-clamp-2 title-2 hyphens-auto [overflow-wrap:anywhere]">{title}</Base.Title>
              {description && (
                <Base.Description className="line-clamp-2 text-small text-muted [overflow-wrap:anywhere]">
                  {description}
                </Base.Description>
              )}
            </div>
            {actions && <div className="flex min-h-10 flex-1 items-center gap-2.5">{actions}</div>}
            <Base.Close
              aria-label={t('Close dialog')}
              className="-my-0.5 -me-2.5 inline-flex size-11 shrink-0 items-center justify-center rounded-control text-ink hover:bg-sunken"
            >
              <X aria-hidden size={20} />
            </Base.Close>
          </div>
          {children}
          <IdentityPlace />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

export const DialogBody = ({ children }: { children: ReactNode }) => (
  <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pt-3 pb-5 md:px-6">{children}</div>
);

/** The buttons at the end of a sheet, always in view; below one another if they are as wide as it is. */
export const DialogFooter = ({ isStacked = false, children }: { isStacked?: boolean; children: ReactNode }) => (
  <footer
    className={`shrink-0 gap-2.5 border-t border-line px-4 pt-2.5 pb-[max(10px,env(safe-area-inset-bottom))] md:px-6 md:py-3.5 ${isStacked ? 'grid' : 'flex flex-wrap items-center justify-end max-sm:[&>button]:flex-1'}`}
  >
    {children}
  </footer>
);

/** The buttons at the end of a form; stacked on phones with the main one first. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className="mt-6 flex flex-wrap justify-end gap-2.5 max-md:[&>button]:flex-1">{children}</div>
);
