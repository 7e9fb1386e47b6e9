import { t } from '../../platform/i18n/messages.ts';
import { Contact } from './contact.tsx';
import { HomeLink, LicensesLink } from './page-links.tsx';
import { Prose } from './prose.tsx';
import { WhoSeesHours } from './who-sees-hours.tsx';

export const About = () => (
  <Prose title={t('About HourShare')}>
    <p>
      {t(
        'People share subscriptions, and then argue about them, or say nothing and resent it. HourShare measures what settles the argument: who used what, and for how long.',
      )}
    </p>
    <p>
      {t(
        "An owner adds what they pay for and shares it by username, with monthly hours for each person. Members press Start when they begin and End when they're done.",
      )}
    </p>
    <WhoSeesHours />
    <h2>{t('Contact')}</h2>
    <p>
      {t(
        'This server is run by someone you probably know: whoever gave you the link. Ask them about your account, your data, or these pages.',
      )}
    </p>
    <Contact />
    <p>
      <LicensesLink />
    </p>
    <p>
      <HomeLink />
    </p>
  </Prose>
);
