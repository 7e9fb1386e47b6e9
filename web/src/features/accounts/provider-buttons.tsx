import { useState } from 'react';
import { t } from '../../lib/messages.ts';
import { Button } from '../../ui/button.tsx';

// oxlint-disable-next-line hourshare/text-in-catalog -- brands
const providers = ['Google', 'GitHub'] as const;

/** Buttons for sign-in with other providers. No server supports it yet, and pressing one says so. */
export function ProviderButtons() {
  const [pressed, setPressed] = useState<string | null>(null);
  return (
    <div className="mt-6">
      <p className="flex items-center gap-3 text-[13.5px] text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('or continue with')}
      </p>
      <div className="mt-4 grid grid-cols-2 gap-3">
        {providers.map((provider) => (
          <Button key={provider} look="outline" onClick={() => setPressed(provider)}>
            {provider}
          </Button>
        ))}
      </div>
      <p role="status" className="mt-2 text-[13.5px] text-muted empty:mt-0">
        {pressed && t("{provider} sign-in isn't set up on this server.", { provider: pressed })}
      </p>
    </div>
  );
}
