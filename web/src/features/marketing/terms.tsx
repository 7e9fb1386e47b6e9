import { rich, t } from '../../platform/i18n/messages.ts';
import { aboutLink, HomeLink } from './page-links.tsx';
import { Prose } from './prose.tsx';

export const Terms = () => (
  <Prose title={t('Terms of service')}>
    <p>
      {t(
        'HourShare tracks shared use. These are the terms for using it, between you and the administrator of this server.',
      )}
    </p>
    <h2>{t('Your account')}</h2>
    <p>
      {t(
        "You choose a username and a password, and keep the password to yourself. You're responsible for activity on your account. You can stop using it at any time.",
      )}
    </p>
    <h2>{t('What you share')}</h2>
    <p>
      {t(
        "Share only what you're allowed to share. Whether several people may use a subscription is between you and its provider. HourShare stores no passwords of other services and gives no access to them.",
      )}
    </p>
    <h2>{t('Hours and amounts')}</h2>
    <p>
      {t(
        'Hours are what people recorded by starting and ending sessions. Amounts are calculated from them. HourShare moves no money; what you owe each other is yours to settle.',
      )}
    </p>
    <h2>{t('Fair use')}</h2>
    <p>
      {t(
        "Don't use the service to harm others, to get at data that isn't yours, or to disrupt it. The administrator of this server may close an account that does.",
      )}
    </p>
    <h2>{t('Price')}</h2>
    <p>{t('The plan is free and requires no credit card.')}</p>
    <h2>{t('No warranty')}</h2>
    <p>
      {t(
        "The service is provided as is. It may be interrupted, and the administrator of this server may shut it down. As far as the law allows, no one is liable for what results from using it. Your legal rights as a consumer aren't affected.",
      )}
    </p>
    <h2>{t('Changes')}</h2>
    <p>
      {t(
        'These terms may change. The version on this page applies. If you disagree with a change, stop using the service.',
      )}
    </p>
    <h2>{t('Contact')}</h2>
    <p>{rich('Questions? <link>See About for contact details.</link>', { link: aboutLink })}</p>
    <p>
      <HomeLink />
    </p>
  </Prose>
);
