import { t } from '../../platform/i18n/messages.ts';

/** Who may read whose sessions and costs, as the server decides it. In one place, so that no two pages disagree. */
export const WhoSeesHours = () => (
  <p>
    {t(
      "The owner and co-managers of an asset see each member's sessions, hours, and costs, including sessions that were edited or removed. Members see their own, as well as the month's price and the total hours used. Of each other's, they see only sessions that were edited or removed, and only if the price is split by share of use.",
    )}
  </p>
);
