import { useEffect, useState, type ComponentType } from 'react';
import { announce } from '../../lib/announcements.ts';
import { t } from '../../lib/messages.ts';
import { opensPalette } from './keys.ts';

interface ViewProps {
  onClose: () => void;
}

const isCovered = () =>
  document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null;

/** Opens the palette by keyboard on every page. It loads when first opened. */
export function Shortcuts() {
  const [view, setView] = useState<{ View: ComponentType<ViewProps> } | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!opensPalette(event)) return;
      // Browsers have their own search on these keys.
      event.preventDefault();
      if (isCovered()) return;
      import('./palette.tsx').then(
        ({ Palette }) => setView((open) => open ?? { View: Palette }),
        () => announce(t("Couldn't open this. Check your connection and try again."), { failed: true }),
      );
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return view && <view.View onClose={() => setView(null)} />;
}
