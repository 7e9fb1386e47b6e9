import type { ProviderName } from '@hourshare/contract/sign-ins';
import { useState } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useAbout } from './about-api.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { goToProvider, type ProviderPlan } from './providers-api.ts';

// oxlint-disable hourshare/text-in-catalog -- brands
const ALWAYS: { name: ProviderName; label: string }[] = [
  { name: 'google', label: 'Google' },
  { name: 'github', label: 'GitHub' },
];
// oxlint-enable hourshare/text-in-catalog

interface ProviderButtonsProps {
  /** The page to go to after signing in. */
  from?: string | undefined;
  joining?: ProviderPlan['joining'];
}

/** Buttons to sign in or up with providers. Google and GitHub are always shown; pressing one that isn't set up says so. */
export function ProviderButtons({ from, joining }: ProviderButtonsProps) {
  const providers = useAbout()?.providers;
  const [pressed, setPressed] = useState<string | null>(null);
  const [busy, setBusy] = useState<ProviderName | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const others = (providers ?? []).filter(({ name }) => name === 'oidc');

  const press = async ({ name: provider, label }: (typeof ALWAYS)[number]) => {
    const isMissing = providers?.every(({ name }) => name !== provider) ?? false;
    setFailure(null);
    setPressed(isMissing ? label : null);
    if (isMissing || busy !== null) return;
    setBusy(provider);
    try {
      await goToProvider({ provider, purpose: 'sign-in', from, ...(joining && { joining }) });
    } catch (error) {
      setFailure(
        errorText(error) || t("Couldn't start signing in with {provider}. Please try again.", { provider: label }),
      );
      setBusy(null);
    }
  };

  return (
    <div className="mt-6">
      <p className="flex items-center gap-3 text-[13.5px] text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('or continue with')}
      </p>
      {failure !== null && <Banner className="mt-4">{failure}</Banner>}
      <div className="mt-4 grid grid-cols-2 gap-3">
        {[...ALWAYS, ...others].map((provider) => (
          <Button
            key={provider.name}
            look="outline"
            className={provider.name === 'oidc' ? 'col-span-2 whitespace-normal! [overflow-wrap:anywhere]' : ''}
            busy={busy === provider.name}
            onClick={() => void press(provider)}
          >
            {provider.label}
          </Button>
        ))}
      </div>
      <p role="status" className="mt-2 text-[13.5px] text-muted empty:mt-0">
        {pressed && t("{provider} sign-in isn't set up on this server.", { provider: pressed })}
      </p>
    </div>
  );
}
