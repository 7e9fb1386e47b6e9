import { errorCatalogue } from '@hourshare/contract/errors';
import { LIST_PAGE_SIZE, LOGS_PAGE_SIZE, LOGS_PAGE_SIZE_MAX } from '@hourshare/contract/limits';
import { settings } from '../server/src/config.ts';
import { openApiDocument } from '../server/src/platform/http/openapi.ts';

// Generates documents from the server's own tables; scripts/generated-docs.test.mjs compares and writes the files.
// Hand-written because OpenAPI-to-Markdown converters write a chapter per call instead of one table.

const HEADER = '<!-- Generated: run "npm run generate" after changing its source. -->\n\n';

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** @typedef {{ about: string, must: string, fallback?: string }} Setting */

/** Returns docs/configuration.md, made from the settings of server/src/config.ts. */
export function configurationPage() {
  /** @type {string[]} */
  const rows = [];
  for (const [name, { about, must, fallback }] of Object.entries(/** @type {Record<string, Setting>} */ (settings)))
    rows.push(`| \`${name}\` | ${cell(about)} | ${cell(must)} | ${fallback === undefined ? '' : `\`${fallback}\``} |`);
  return `${HEADER}# Configuration

Settings are environment variables. An empty one counts as unset. A wrong one stops the start with a sentence that says
what to set.

| setting | what it does | must be | when unset |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

/** Returns docs/openapi.json, the document that the server also publishes at /api/openapi.json. */
export function openApiFile() {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`;
}

/** Returns docs/api.md: an overview of the calls, and the error catalogue. */
export function apiPage() {
  /** @type {string[]} */
  const calls = [];
  const { paths } = /** @type {{ paths: Record<string, Record<string, any>> }} */ (openApiDocument());
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { summary, responses, requestBody, security }] of Object.entries(operations)) {
      const body = requestBody?.content['application/json'].schema.$ref?.split('/').at(-1) ?? '';
      const answers = Object.entries(/** @type {Record<string, any>} */ (responses))
        .filter(([status]) => status < '300')
        .map(([status, { content }]) => {
          const name = content?.['application/json'].schema.$ref?.split('/').at(-1);
          const file = content?.['text/csv'] ? ' or CSV' : '';
          return name ? `${status} ${name}${file}` : status;
        });
      const who = security ? 'anyone' : 'signed in';
      calls.push(`| ${method.toUpperCase()} ${path} | ${cell(summary)} | ${who} | ${body} | ${answers.join(', ')} |`);
    }
  const errors = Object.entries(errorCatalogue).map(
    ([code, { status, message }]) => `| \`${code}\` | ${status} | ${cell(message)} |`,
  );
  return `${HEADER}# The API

JSON over HTTP. Send \`Authorization: Bearer <access token>\`; an access token lives 15 minutes and is replaced with the
refresh token. Every path ends in a slash, and works without it too. A running server has the whole description at
\`/api/openapi.json\` (also in [openapi.json](openapi.json)) and a page to try it out at \`/api/docs/\`.

Where CSV stands behind an answer, \`?format=csv\` asks for it as a file for spreadsheets: UTF-8, a row of names, instants in
UTC, figures with a dot, money beside its currency. A text that a spreadsheet would take for a formula begins with an
apostrophe there. A list is in it as a whole, without \`limit\` and \`cursor\`.

Lists answer \`{ "results": [...], "next": cursor or null }\`. Send \`next\` back as \`?cursor=\` for the next page, with
the same other parameters, until it is null. \`?limit=\` takes 1 to ${LIST_PAGE_SIZE}, and ${LIST_PAGE_SIZE} when left out; for sessions 1 to
${LOGS_PAGE_SIZE_MAX}, and ${LOGS_PAGE_SIZE}. Results that come or go between two pages neither repeat nor hide others.

Names and descriptions hold no invisible or control characters, except where a script or an emoji needs one.

Calls that create something honor \`Idempotency-Key\`: the
same key and body answer the same bytes for 24 hours.

| call | what it does | who | body | answers |
| --- | --- | --- | --- | --- |
${calls.join('\n')}

## Errors

Every error answers \`{ "error": sentence for people, "code": word for programs, "fields": { name: [sentence] } }\`, with
\`fields\` only where a field is at fault. What exists but is none of the caller's business answers 404.

| code | status | sentence, unless the case has a better one |
| --- | --- | --- |
${errors.join('\n')}
`;
}
