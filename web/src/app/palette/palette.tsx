import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import type { Balance } from '@hourshare/contract/settlements';
import type { SharedAsset } from '@hourshare/contract/shares';
import { useNavigate } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, CornerDownLeft, Search, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useSessionControl } from '../../features/sessions/api.ts';
import { SettleDialog } from '../../features/settlements/settle-dialog.tsx';
import { announce } from '../../ui/toasts.ts';
import { keepFocusInPage } from '../../ui/focus.ts';
import { t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';
import { ConnectionLine } from '../../ui/connection-line.tsx';
import { Key } from '../../ui/key.tsx';
import { markMatches, rank, type Group } from './ranking.ts';
import { useCommands, type Command } from './use-commands.tsx';

/** Finds and runs what people do most: sessions, settling up, pages, assets, statements and the theme. */
export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [settling, setSettling] = useState<Balance | null>(null);
  if (settling === null) return <CommandDialog onSettle={setSettling} onClose={onClose} />;
  return (
    <SettleDialog
      balance={settling}
      onDone={onClose}
      onChanged={(sentence) => {
        announce(sentence);
        void navigate({ to: paths.costs });
        onClose();
      }}
    />
  );
}

interface CommandDialogProps {
  onSettle: (balance: Balance) => void;
  onClose: () => void;
}

function CommandDialog({ onSettle, onClose }: CommandDialogProps) {
  const [query, setQuery] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => keepFocusInPage, []);
  const groups = rank(useCommands(), query);
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const name = t('Search or jump to');

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup
          aria-label={name}
          initialFocus={input}
          className="fixed inset-x-0 top-0 z-50 mx-auto flex max-h-dvh flex-col overflow-hidden bg-raised outline-none sm:inset-x-6 sm:top-[clamp(12px,10vh,112px)] sm:max-h-[calc(100dvh-24px-clamp(12px,10vh,112px))] sm:max-w-160 sm:rounded-paper sm:border sm:border-line-strong"
        >
          <ConnectionLine className="shrink-0" innerClassName="px-4.5" />
          <Autocomplete.Root
            open
            inline
            mode="none"
            items={groups}
            value={query}
            onValueChange={setQuery}
            itemToStringValue={({ text }: Command) => text}
            autoHighlight="always"
            keepHighlight
          >
            <div className="flex h-14.5 shrink-0 items-center gap-3 border-b border-line ps-4.5 pe-2">
              <Search aria-hidden size={20} className="shrink-0 text-muted" />
              <Autocomplete.Input
                ref={input}
                aria-label={name}
                placeholder={name}
                className="h-full min-w-0 flex-1 bg-transparent text-[17px] outline-none placeholder:text-muted"
              />
              <Dialog.Close
                aria-label={t('Close dialog')}
                className="inline-flex size-11 shrink-0 items-center justify-center rounded-control hover:bg-sunken"
              >
                <span aria-hidden className="max-md:hidden">
                  <Key>{t('Esc [[key]]')}</Key>
                </span>
                <X aria-hidden size={20} className="md:hidden" />
              </Dialog.Close>
            </div>
            <div role="status" className={count > 0 ? 'sr-only' : 'px-4.5 py-6 text-muted'}>
              {count > 0 ? t('{count, plural, one {# result} other {# results}}', { count }) : t('No matches')}
            </div>
            <Autocomplete.List
              aria-label={name}
              className="min-h-0 flex-1 divide-y divide-line overflow-y-auto overscroll-contain data-empty:hidden"
            >
              {({ group, items }: Group<Command>) => (
                <Autocomplete.Group key={group} items={items} className="p-2">
                  <Autocomplete.GroupLabel className="px-2.5 pt-1.5 pb-1 text-[12.5px] font-semibold text-muted">
                    {group}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(command: Command) => (
                      <Option key={command.id} command={command} query={query} onSettle={onSettle} onClose={onClose} />
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
          <div
            aria-hidden
            className="flex h-11 shrink-0 items-center gap-4.5 border-t border-line bg-surface px-4.5 text-[13px] text-muted max-md:hidden"
          >
            <span className="flex items-center gap-1.5">
              <Key>
                <ArrowUp size={12} />
              </Key>
              <Key>
                <ArrowDown size={12} />
              </Key>
              {t('Move')}
            </span>
            <span className="flex items-center gap-1.5">
              <Key>
                <CornerDownLeft size={12} />
              </Key>
              {t('Run')}
            </span>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface OptionProps extends CommandDialogProps {
  command: Command;
  query: string;
}

function Option({ onSettle, onClose, ...props }: OptionProps) {
  const { action } = props.command;
  if ('share' in action) return <SessionOption {...props} share={action.share} onClose={onClose} />;
  if ('balance' in action) return <OptionRow {...props} onRun={() => onSettle(action.balance)} />;
  return (
    <OptionRow
      {...props}
      onRun={() => {
        // Closes first, because it may open another dialog.
        onClose();
        action.run();
      }}
    />
  );
}

function SessionOption({ share, onClose, ...props }: Omit<OptionProps, 'onSettle'> & { share: SharedAsset }) {
  const session = useSessionControl(share, { announceFailure: true });
  return (
    <OptionRow
      {...props}
      onRun={() => {
        if (share.active_session) session.end();
        else session.start();
        onClose();
      }}
    />
  );
}

const mark = (text: string, query: string): ReactNode =>
  markMatches(text, query).map(({ part, marked }, index) =>
    marked ? (
      <mark key={index} className="bg-transparent font-bold text-accent-text">
        {part}
      </mark>
    ) : (
      part
    ),
  );

interface OptionRowProps {
  command: Command;
  query: string;
  onRun: () => void;
}

const OptionRow = ({ command, query, onRun }: OptionRowProps) => (
  <Autocomplete.Item
    value={command}
    onClick={onRun}
    className="group flex min-h-11.5 cursor-pointer items-center gap-3 rounded-control px-2.5 py-1.5 text-[15px] outline-none select-none data-highlighted:bg-accent-soft"
  >
    {/* Faces and pictures differ in size; the texts beside them start at one edge. */}
    <span aria-hidden className="flex w-9 shrink-0 justify-center">
      {command.face}
    </span>
    <span className="line-clamp-2 min-w-0 flex-1 [overflow-wrap:anywhere]">{mark(command.text, query)}</span>
    {command.detail && (
      <span
        className={`figures max-w-1/2 text-end text-[14px] ${command.over ? 'text-over-text' : 'text-muted group-data-highlighted:text-ink'}`}
      >
        {mark(command.detail, query)}
      </span>
    )}
    <span aria-hidden className="hidden md:group-data-highlighted:inline">
      <Key>
        <CornerDownLeft size={12} />
      </Key>
    </span>
  </Autocomplete.Item>
);
