import { createTransport } from 'nodemailer';

/** A message ready to be sent, as text and HTML. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** An address at which mail programs unsubscribe the recipient with one click (RFC 8058). */
  unsubscribe?: string | undefined;
}

export interface Mailer {
  /**
   * Passes a message to the mail server. Rejects unless the server accepted it; aborting the signal stops waiting for
   * the answer.
   * @param id - identifies the message, so that receivers recognize one that is sent again after a lost answer
   */
  send(mail: Mail, id: string, signal: AbortSignal): Promise<void>;
}

const CONNECT_MILLISECONDS = 10_000;
const ANSWER_MILLISECONDS = 20_000;

/**
 * Creates a mailer for an SMTP server, such as `smtps://user:password@host`, and a sender, such as `HourShare <a@example.org>`. A
 * password is only sent over TLS; with `requireTls`, so is everything else.
 */
export function createMailer({
  url,
  from,
  requireTls = false,
}: {
  url: string;
  from: string;
  requireTls?: boolean;
}): Mailer {
  const transport = createTransport(
    {
      url,
      connectionTimeout: CONNECT_MILLISECONDS,
      greetingTimeout: CONNECT_MILLISECONDS,
      dnsTimeout: CONNECT_MILLISECONDS,
      socketTimeout: ANSWER_MILLISECONDS,
      requireTLS: requireTls || new URL(url).username !== '',
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  const domain = /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ unsubscribe, ...mail }, id, signal) {
      signal.throwIfAborted();
      const headers = {
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribe !== undefined && {
          'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      };
      // An object, so that it isn't parsed as a list of addresses.
      const to = { name: '', address: mail.to };
      const sent = transport.sendMail({ ...mail, to, messageId: `<${id}@${domain}>`, headers });
      await new Promise<void>((resolve, reject) => {
        const abort = () => reject(new Error('The mail server took too long.'));
        signal.addEventListener('abort', abort, { once: true });
        sent.then(() => resolve(), reject).finally(() => signal.removeEventListener('abort', abort));
      });
    },
  };
}
