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
    <h2>{t('How costs are split')}</h2>
    <ul>
      <li>
        {t(
          'You owe nothing for what you did not accept, and no month costs you more than what you last said yes to, for your own hours or days.',
        )}
      </li>
      <li>{t('What an hour or a place costs is set by the fullest moment of the month.')}</li>
      <li>
        {t(
          "You pay for your own hours or days at that price. What is left is the owner's. Together it is the price, to the cent.",
        )}
      </li>
      <li>{t('Whatever would cost you more asks you first. Until you say yes, the owner covers the difference.')}</li>
      <li>
        {t(
          "A month closes 72 hours after it ends. Until it ends you can edit your sessions; after that, taking time away needs the owner's yes.",
        )}
      </li>
      <li>{t('A payment counts when the person who receives it says so.')}</li>
    </ul>
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
