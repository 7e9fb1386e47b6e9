import { SECURITY_EVENT_DAYS } from '@hourshare/contract/limits';
import { rich, t } from '../../platform/i18n/messages.ts';
import { aboutLink, HomeLink } from './page-links.tsx';
import { Prose } from './prose.tsx';
import { WhoSeesHours } from './who-sees-hours.tsx';

export const Privacy = () => (
  <Prose title={t('Privacy policy')}>
    <p>{t('HourShare stores what it needs to count hours and split costs, and nothing else.')}</p>
    <h2>{t('What is stored')}</h2>
    <ul>
      <li>
        {t(
          "Your username, email address, time zone, and settings, and your password in a form that can't be turned back into it.",
        )}
      </li>
      <li>{t('The assets you add, with their descriptions and prices, and who you share them with.')}</li>
      <li>
        {t('Your sessions: when they started and ended, and the original times of sessions that you edit or remove.')}
      </li>
      <li>{t('The statements of past months, and the payments you mark.')}</li>
      <li>{t("Where you're signed in: the kind of browser, and when it was last used.")}</li>
      <li>
        {t(
          'Security events on your account, such as sign-ins and failed attempts: when they happened and the type of browser. Kept for {days} days.',
          { days: SECURITY_EVENT_DAYS },
        )}
      </li>
    </ul>
    <p>
      {t(
        "Your network address is used to limit password guessing. The server's log records it with sign-ins and other security events.",
      )}
    </p>
    <h2>{t("What it's for")}</h2>
    <p>{t('To sign you in, count hours, and split costs. Nothing else.')}</p>
    <h2>{t('Who sees it')}</h2>
    <WhoSeesHours />
    <p>
      {t(
        'Only the two people involved can see a payment. Beyond that, only the administrator of this server can see this data.',
      )}
    </p>
    <h2>{t('What HourShare never does')}</h2>
    <p>{t('No advertising, no trackers, no third-party scripts or fonts. Nothing is sold or passed on.')}</p>
    <h2>{t('In your browser')}</h2>
    <p>
      {t(
        "While you're signed in, your browser stores your sign-in. Signing out removes it. Your choices of theme, language and shortcuts stay on the device.",
      )}
    </p>
    <p>
      {t(
        "One cookie, kept for 180 days, marks this device as one you've signed in on. It's only read when you sign in, so that someone guessing your password elsewhere can't lock you out.",
      )}
    </p>
    <h2>{t('How long, and your rights')}</h2>
    <p>
      {t(
        'Your data is kept as long as your account exists. You can ask what is stored about you, and have it corrected or deleted. After that, statements that others are part of keep your username and amounts.',
      )}
    </p>
    <h2>{t('Children')}</h2>
    <p>{t('HourShare is not directed to children under 13.')}</p>
    <h2>{t('Contact')}</h2>
    <p>{rich('Questions about your data? <link>See About for contact details.</link>', { link: aboutLink })}</p>
    <p>
      <HomeLink />
    </p>
  </Prose>
);
