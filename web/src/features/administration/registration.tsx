import type { Administration } from '@hourshare/contract/administration';
import { UserPlus } from 'lucide-react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { useInvite, useSetRegistration } from './api.ts';
import { MadeLink } from './made-link.tsx';
import { StateRow } from './state-row.tsx';

const texts: Record<Administration['registration'], { text: () => string; hint: () => string }> = {
  open: { text: () => t('Anyone'), hint: () => t('Whoever can open this server') },
  invited: { text: () => t('Invited people'), hint: () => t('With a link from you or from someone who shares') },
  closed: { text: () => t('No one'), hint: () => t('Existing accounts stay') },
};

interface RegistrationProps {
  state: Pick<Administration, 'registration' | 'registration_set'>;
  /** Whether the administrator may change anything. */
  canChange: boolean;
}

/** Who can create an account, and a link for one more person. */
export function Registration({ state: { registration, registration_set: isSet }, canChange }: RegistrationProps) {
  const set = useSetRegistration();
  const invite = useInvite();
  const chosen = set.isPending ? set.variables : registration;
  const { text, hint } = texts[registration];
  return (
    <>
      <div className="pb-4">
        {isSet || !canChange ? (
          <>
            <h3 className="text-[14px] font-semibold">{t('Who can create an account')}</h3>
            <p className="mt-1">
              {text()} <span className="text-[13.5px] text-muted">{hint()}</span>
            </p>
            {isSet && (
              <p className="mt-1 text-[13.5px] text-muted">
                {t('The setting REGISTRATION of this server decides who may create an account.')}
              </p>
            )}
          </>
        ) : (
          <RadioCards
            legend={t('Who can create an account')}
            value={chosen}
            options={(['open', 'invited', 'closed'] as const).map((value) => ({
              value,
              text: texts[value].text(),
              hint: texts[value].hint(),
            }))}
            onChange={(value) => set.mutate(value)}
            error={set.isError ? errorText(set.error) || t("Couldn't save it. Please try again.") : undefined}
          />
        )}
      </div>
      {registration !== 'closed' && (
        <div className="border-t border-line pt-4">
          <StateRow
            Icon={UserPlus}
            title={t('Invitation')}
            action={
              <Button
                look="outline"
                size="small"
                disabled={!canChange}
                busy={invite.isPending}
                onClick={() => invite.mutate()}
              >
                {t('Create link')}
              </Button>
            }
            below={
              <>
                {invite.isError && (
                  <Banner className="mt-3">
                    {errorText(invite.error) || t("Couldn't make a link. Please try again.")}
                  </Banner>
                )}
                {invite.data && <MadeLink label={t('Invitation link')} made={invite.data} />}
              </>
            }
          >
            {t('One person can create an account with it.')}
          </StateRow>
        </div>
      )}
    </>
  );
}
