import { useEffect, useState, type ComponentType } from 'react';
import { announce } from '../../ui/toasts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { FILTER_KEY } from '../../ui/filtered-list.tsx';
import { findShortcut } from './keys.ts';
import { onOpenView, openView, type View } from './open-view.ts';

type ViewComponent = ComponentType<{ onClose: () => void }>;

const views: Record<View, () => Promise<ViewComponent>> = {
  palette: async () => (await import('./palette.tsx')).Palette,
  keys: async () => (await import('./keys-dialog.tsx')).KeysDialog,
};

const isCovered = () =>
  document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null;

function onKey(event: KeyboardEvent): void {
  const shortcut = findShortcut(event);
  if (shortcut === null) return;
  // Browsers have their own search on these keys, which a held key would open, too.
  event.preventDefault();
  if (event.repeat || isCovered()) return;
  const filter = shortcut === 'filter' && document.querySelector<HTMLElement>(`[aria-keyshortcuts="${FILTER_KEY}"]`);
  if (filter) filter.focus();
  else openView(shortcut === 'keys' ? 'keys' : 'palette');
}

/** Handles the keys that work on every page, and shows what they open, which loads when first opened. */
export function Shortcuts() {
  const [view, setView] = useState<{ View: ViewComponent } | null>(null);
  useEffect(() => {
    const stop = onOpenView((name) => {
      views[name]().then(
        (next) => setView((open) => open ?? { View: next }),
        () => announce(t("Couldn't open this. Check your connection and try again."), { failed: true }),
      );
    });
    document.addEventListener('keydown', onKey);
    return () => {
      stop();
      document.removeEventListener('keydown', onKey);
    };
  }, []);
  return view && <view.View onClose={() => setView(null)} />;
}
