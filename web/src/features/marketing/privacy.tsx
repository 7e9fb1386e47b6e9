import type { ReactNode } from 'react';
import { Prose } from './prose.tsx';

export const Privacy = ({ home, contact }: { home: ReactNode; contact: ReactNode }) => (
  <Prose title="Privacy Policy">
    <p>HourShare keeps what it needs to count hours, and nothing else.</p>
    <h2>What is stored</h2>
    <ul>
      <li>Your username, e-mail address and time zone, and your password in a form that cannot be read back.</li>
      <li>The assets you add, with their descriptions and prices, and whom you share them with.</li>
      <li>Your sessions: when they started and ended.</li>
    </ul>
    <h2>Who sees it</h2>
    <p>
      The owner of an asset sees the usernames and hours of those it is shared with. Members see the asset, its owner
      and their own hours. Nobody else does, except whoever runs this server.
    </p>
    <h2>What is not done</h2>
    <p>No advertising, no trackers, no third-party scripts or fonts. Nothing is sold or passed on.</p>
    <h2>In your browser</h2>
    <p>While you are signed in, your browser stores your sign-in. Signing out removes it.</p>
    <h2>Children</h2>
    <p>HourShare is not directed to children under 13.</p>
    <h2>Contact</h2>
    <p>Questions about your data? {contact}</p>
    <p>{home}</p>
  </Prose>
);
