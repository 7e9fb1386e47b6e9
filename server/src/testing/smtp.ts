import { once } from 'node:events';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  parsed: ParsedMail;
  /** The recipients given to the server, regardless of headers. */
  recipients: string[];
  /** The first link in the text. */
  link: string | undefined;
}

/** A mail server on this machine that handles each message as a test says. */
export interface TestMailServer {
  /** For the SMTP_URL setting. */
  url: string;
  received: ReceivedMail[];
  /** How it answers a message: `hang` accepts it and never answers, `lose` accepts it and cuts the connection. */
  behavior: 'accept' | 'refuse' | 'hang' | 'lose';
  close(): Promise<void>;
}

export async function openTestMailServer(): Promise<TestMailServer> {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, session, done) => void receive(stream, session, done),
  });
  async function receive(...[stream, session, done]: Parameters<NonNullable<SMTPServerOptions['onData']>>) {
    const { behavior } = server;
    const parsed = await simpleParser(stream);
    if (behavior === 'refuse') return done(new Error('The mailbox is full.'));
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    const link = /https?:\/\/\S+/.exec(parsed.text ?? '')?.[0];
    server.received.push({ parsed, recipients, link });
    if (behavior === 'lose') for (const connection of connections) connection.close();
    if (behavior === 'accept') done();
  }
  // A client that disconnects isn't a failure of this server.
  smtp.on('error', () => undefined);
  // Missing from the package's types.
  const { connections } = smtp as unknown as { connections: Set<{ close(): void }> };
  const server: TestMailServer = {
    url: '',
    received: [],
    behavior: 'accept',
    close: () => {
      // Otherwise closing waits for clients whose message hangs.
      for (const connection of connections) connection.close();
      return new Promise((resolve) => smtp.close(() => resolve()));
    },
  };
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const address = smtp.server.address();
  server.url = `smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return server;
}
