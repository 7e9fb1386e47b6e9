import { ContactLink, HomeLink } from './page-links.tsx';
import { Prose } from './prose.tsx';

export const Terms = () => (
  <Prose title="Terms of Service">
    <p>
      HourShare keeps count of shared use. These are the terms for using it, between you and whoever runs this server.
    </p>
    <h2>Your account</h2>
    <p>
      You choose a username and a password and keep the password to yourself. What is done with your account counts as
      done by you. You may stop using it at any time.
    </p>
    <h2>What you share</h2>
    <p>
      You share only what you may share. Whether a subscription may be used by several people is between you and its
      provider; HourShare stores no passwords of other services and gives no access to them.
    </p>
    <h2>Hours and amounts</h2>
    <p>
      Hours are what people recorded by starting and ending sessions. Amounts are arithmetic on them. HourShare moves no
      money, and what you owe one another is yours to settle.
    </p>
    <h2>Fair use</h2>
    <p>
      Do not use the service to harm others, to get at what is not yours, or to keep it from working. Whoever runs this
      server may close an account that does.
    </p>
    <h2>Price</h2>
    <p>The plan is free and needs no credit card.</p>
    <h2>No warranty</h2>
    <p>
      The service is provided as it is. It may be interrupted, and whoever runs this server may close it. As far as the
      law allows, nobody is liable for what follows from using it. Rights that the law gives you as a consumer stay
      yours.
    </p>
    <h2>Changes</h2>
    <p>
      These terms may change; the ones on this page apply. Who does not agree with a change can stop using the service.
    </p>
    <h2>Contact</h2>
    <p>
      Questions? <ContactLink />
    </p>
    <p>
      <HomeLink />
    </p>
  </Prose>
);
