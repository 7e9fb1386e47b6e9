import type { MailText } from '../../mails.ts';
import { escapeHtml } from '../../platform/html.ts';
import type { Mail } from '../../platform/mail.ts';

const STYLE = `
  body { margin: 0; padding: 24px 12px; background: #f4f3ee; color: #1d1d1b; font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 520px; margin: 0 auto; padding: 28px; border-radius: 14px; background: #fff; }
  h1 { margin: 0 0 16px; font-size: 20px; line-height: 1.3; }
  p { margin: 0 0 16px; overflow-wrap: anywhere; white-space: pre-line; }
  .button { display: inline-block; padding: 11px 18px; border-radius: 10px; background: #0b5d4e; color: #fff;
    font-weight: 600; text-decoration: none; }
  .address, .address a { font-size: 14px; color: #5d5d57; }
  @media (prefers-color-scheme: dark) {
    body { background: #161614; color: #ecebe4; }
    main { background: #21211e; }
    .button { background: #7fd6c2; color: #06231d; }
    .address, .address a { color: #a9a89f; }
  }`;

/** Returns a message as plain text and as HTML that is readable in light and dark mode. */
export function toMail({ to, language, subject: named, paragraphs, link, unsubscribe }: MailText): Mail {
  // Names have no control characters, so this is a second lock on the headers.
  const subject = named.replaceAll(/\p{Cc}+/gu, ' ');
  const [first = '', ...rest] = paragraphs;
  const text = [
    first,
    ...(link ? [`${link.text}:\n${link.address}`] : []),
    ...rest,
    ...(unsubscribe ? [`${unsubscribe.text}\n${unsubscribe.address}`] : []),
  ].join('\n\n');
  const paragraph = (content: string) => `<p>${escapeHtml(content)}</p>`;
  const button =
    link === undefined
      ? []
      : [
          `<p><a class="button" href="${escapeHtml(link.address)}">${escapeHtml(link.text)}</a></p>`,
          `<p class="address" dir="ltr">${escapeHtml(link.address)}</p>`,
        ];
  const footer =
    unsubscribe === undefined
      ? []
      : [
          `<p class="address">${escapeHtml(unsubscribe.text)} <a href="${escapeHtml(unsubscribe.address)}">${escapeHtml(unsubscribe.name)}</a></p>`,
        ];
  const html = `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${STYLE}
</style>
</head>
<body>
<main>
<h1>${escapeHtml(subject)}</h1>
${[paragraph(first), ...button, ...rest.map(paragraph), ...footer].join('\n')}
</main>
</body>
</html>
`;
  return { to, subject, text: `${text}\n`, html, unsubscribe: unsubscribe?.post };
}
