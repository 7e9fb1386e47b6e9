import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { rich } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { deviceText, nameText, type NamedDevice } from './device-text.ts';
import { NameForm } from './name-form.tsx';

interface NamedRowProps {
  icon: LucideIcon;
  item: NamedDevice;
  badge?: ReactNode;
  /** When it was created and used. */
  times: string;
  /** Label of the field for its name. */
  label: string;
  onRename: (name: string | null) => Promise<unknown>;
  /** Buttons next to Rename. */
  actions?: ReactNode;
  /** The dialog that a button opens. */
  children: ReactNode;
}

/** A list item for a device or a passkey, which the user can name. */
export function NamedRow({ icon: Icon, item, badge, times, label, onRename, actions, children }: NamedRowProps) {
  const [isNaming, setNaming] = useState(false);
  const renameButton = useRef<HTMLButtonElement>(null);
  const wasNaming = useRef(false);
  // The focused form is gone.
  useEffect(() => {
    if (wasNaming.current && !isNaming) renameButton.current?.focus();
    wasNaming.current = isNaming;
  }, [isNaming]);
  const name = nameText(item);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <Icon aria-hidden size={20} className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1 basis-4/5 sm:basis-48">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 font-medium [overflow-wrap:anywhere]">
          {name}
          {badge}
        </span>
        <span className="figures block text-[13px] text-muted">
          {item.name !== null && <span className="block">{deviceText(item)}</span>}
          {times}
        </span>
      </span>
      {isNaming ? (
        <NameForm label={label} name={item.name} save={onRename} onDone={() => setNaming(false)} />
      ) : (
        <span className="-me-3 flex items-center max-sm:ms-4">
          <Button ref={renameButton} look="plain" size="small" onClick={() => setNaming(true)}>
            {rich('Rename<hidden> {name}</hidden>', { name, hidden })}
          </Button>
          {actions}
        </span>
      )}
      {children}
    </li>
  );
}
