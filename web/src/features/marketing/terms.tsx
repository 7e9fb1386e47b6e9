import type { ReactNode } from 'react';
import { Prose } from './prose.tsx';

export const Terms = ({ home, contact }: { home: ReactNode; contact: ReactNode }) => (
  <Prose title="Terms of Service">
    <p>HourShare keeps count of shared use. These are the terms for using it.</p>
    <h2>Your account</h2>
    <p>
      You choose a username and a password and keep the password to yourself. What is done with your account counts as
      done by you.
    </p>
    <h2>What you share</h2>
    <p>
      You share only what you may share. Whether a subscription may be used by several people is between you and its
      provider; HourShare stores no passwords of other services and gives no access to them.
    </p>
    <h2>Hours and amounts</h2>
    <p>
      Hours are what people recorded by starting and ending sessions. Amounts are arithmetic on them. HourShare moves no
      money.
    </p>
    <h2>No warranty</h2>
    <p>The service is provided as it is. It may be interrupted, and whoever runs this server may close it.</p>
    <h2>Contact</h2>
    <p>Questions? {contact}</p>
    <p>{home}</p>
  </Prose>
);
