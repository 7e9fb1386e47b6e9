import { ContactLink, HomeLink } from './page-links.tsx';
import { Prose } from './prose.tsx';

export const Privacy = () => (
  <Prose title="Privacy Policy">
    <p>HourShare keeps what it needs to count hours, and nothing else.</p>
    <h2>What is stored</h2>
    <ul>
      <li>Your username, e-mail address and time zone, and your password in a form that cannot be read back.</li>
      <li>The assets you add, with their descriptions and prices, and whom you share them with.</li>
      <li>Your sessions: when they started and ended.</li>
      <li>Where you are signed in: the kind of browser, and when it was last used.</li>
    </ul>
    <p>
      Your network address is used to limit password guessing. The server&rsquo;s log notes it with failed sign-ins,
      sign-outs, and changes to your password or email address.
    </p>
    <h2>What it is for</h2>
    <p>To sign you in, to count hours, and to show what they come to. For nothing else.</p>
    <h2>Who sees it</h2>
    <p>
      The owner of an asset sees the usernames and hours of those it is shared with. Members see the asset, its owner
      and their own hours. Nobody else does, except whoever runs this server.
    </p>
    <h2>What is not done</h2>
    <p>No advertising, no trackers, no third-party scripts or fonts. Nothing is sold or passed on.</p>
    <h2>In your browser</h2>
    <p>While you are signed in, your browser stores your sign-in. Signing out removes it.</p>
    <p>
      One cookie, kept for 180 days, marks this device as one you have signed in on. It is only read when you sign in,
      so that someone guessing your password elsewhere can&rsquo;t keep you out.
    </p>
    <h2>How long, and your rights</h2>
    <p>
      Your data stay as long as your account does. You may ask what is stored about you, and to have it corrected or
      deleted.
    </p>
    <h2>Children</h2>
    <p>HourShare is not directed to children under 13.</p>
    <h2>Contact</h2>
    <p>
      Questions about your data? <ContactLink />
    </p>
    <p>
      <HomeLink />
    </p>
  </Prose>
);
