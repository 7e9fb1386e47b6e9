import { Contact } from './contact.tsx';
import { HomeLink, LicensesLink } from './page-links.tsx';
import { Prose } from './prose.tsx';

export const About = () => (
  <Prose title="About HourShare">
    <p>
      People share subscriptions, and then argue about them, or never mention them and resent it. HourShare measures the
      one thing that settles it: who used what for how long.
    </p>
    <p>
      An owner adds what they pay for and shares it by username, with hours for each person and month. Whoever uses it
      presses Start, and End when done. Everyone sees the same hours.
    </p>
    <h2>Contact</h2>
    <p>
      This server is run by somebody you most likely know: the person who gave you its address. Questions about your
      account, your data or these pages go to them.
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
