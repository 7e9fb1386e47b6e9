import { errorCatalog } from '@hourshare/contract/errors';
import { LIST_PAGE_SIZE, LOGS_PAGE_SIZE, LOGS_PAGE_SIZE_MAX } from '@hourshare/contract/limits';
import { secretNames, settings } from '../server/src/config.ts';
import { openApiDocument } from '../server/src/platform/http/openapi.ts';

// Generates documents from the server's own tables; scripts/generated-docs.test.mjs compares and writes the files.
// Hand-written because OpenAPI-to-Markdown converters write a chapter per call instead of one table.

const HEADER = '<!-- Generated: run "npm run generate" after changing its source. -->\n\n';

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const SETTINGS_HEAD = '| Setting | What it does | Values |\n| --- | --- | --- |';

/** @typedef {{ about: string, must: string, fallback?: string }} Setting */

/** Returns a link from a page in docs/ to another file. @param {string} text @param {string} file path from the root @param {string} [anchor] */
const link = (text, file, anchor = '') => `[${text}](${file.replace('docs/', '')}${anchor})`;

/** Returns a link to a heading of the page for administrators. @param {string} text @param {string} anchor */
const howTo = (text, anchor) => link(text, 'docs/operations.md', anchor);

/** The settings of docs/configuration.md by subject, in order, and what to read about them. @type {[title: string, more: string, names: string[]][]} */
const SUBJECTS = [
  [
    'Set these first',
    `The files in \`deploy/\` set some of them. For email, also set \`SMTP_URL\` and \`MAIL_FROM\`; for PostgreSQL, \`DATABASE_URL\`.`,
    ['APP_URL', 'TRUST_PROXY', 'CONTACT', 'REGISTRATION', 'DATA_DIR', 'BACKUP_DIR'],
  ],
  [
    'Server and TLS',
    `See ${howTo('Proxy and TLS', '#proxy-and-tls')}.`,
    ['HOST', 'PORT', 'TLS_CERT_FILE', 'TLS_KEY_FILE', 'REQUIRE_TLS'],
  ],
  [
    'Database and backups',
    `See ${howTo('PostgreSQL', '#postgresql')} and ${howTo('Back up and restore', '#back-up-and-restore')}.`,
    [
      'DATABASE_URL',
      'DATABASE_POOL_SIZE',
      'DATABASE_PREPARE',
      'DATABASE_LISTEN_URL',
      'DATABASE_REPLICA_URL',
      'BACKUP_KEEP',
    ],
  ],
  [
    'Secret',
    `See ${howTo('Change the secret', '#change-the-secret')}.`,
    ['SECRET', 'SECRET_PREVIOUS', 'REPLACE_SECRET'],
  ],
  [
    'Email and push messages',
    `See ${howTo('Email', '#email')} and ${howTo('Push messages', '#push-messages')}.`,
    ['SMTP_URL', 'MAIL_FROM', 'PUSH_SERVICES', 'PUSH_ALLOW_PRIVATE', 'VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'],
  ],
  [
    'Sign-in',
    `See ${howTo('Sign-in providers', '#sign-in-providers')}.`,
    [
      'PASSWORD_MIN_LENGTH',
      'GOOGLE_CLIENT_ID',
      'GOOGLE_CLIENT_SECRET',
      'GITHUB_CLIENT_ID',
      'GITHUB_CLIENT_SECRET',
      'OIDC_ISSUER',
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
      'OIDC_NAME',
    ],
  ],
  ['Sharing and limits', '', ['SHARE_CONSENT', 'RATE_LIMIT']],
  [
    'Log, metrics, and traces',
    `See ${link('Monitoring', 'docs/monitoring.md')}.`,
    [
      'LOG_LEVEL',
      'METRICS_TOKEN',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'OTEL_TRACES_EXPORTER',
      'OTEL_TRACES_SAMPLER',
      'OTEL_TRACES_SAMPLER_ARG',
      'OTEL_SDK_DISABLED',
    ],
  ],
];

/** @param {string} name */
function settingRow(name) {
  const { about, must, fallback } = /** @type {Record<string, Setting>} */ (settings)[name] ?? { about: '', must: '' };
  const otherwise = fallback === undefined ? '' : ` (default \`${fallback}\`)`;
  return `| \`${name}\` | ${cell(about)} | ${cell(must)}${otherwise} |`;
}

/** Returns docs/configuration.md, made from the settings of server/src/config.ts. */
export function configurationPage() {
  const sections = SUBJECTS.map(([title, more, names]) =>
    [`## ${title}`, ...(more ? [more] : []), `${SETTINGS_HEAD}\n${names.map(settingRow).join('\n')}`].join('\n\n'),
  );
  return `${HEADER}# Configuration

Settings are environment variables; an empty one counts as unset. If a value is wrong, the server doesn't start, and says what to set.

${sections.join('\n\n')}

## Secrets in files

These can be in a file instead: ${secretNames.map((name) => `\`${name}\``).join(', ')}.

Add \`_FILE\` to the name, and set that to the file's path, as in \`SECRET_FILE=/run/secrets/secret\`. Spaces and line breaks around the
value are ignored. The file is read when the server or a command starts. ${howTo('systemd', '#secrets-in-files-of-root')},
${howTo('Docker Compose', '#docker-compose')}, and ${howTo('Kubernetes', '#kubernetes')} each have a way to provide it.
`;
}

/** Returns docs/openapi.json, the document that the server also publishes at /api/openapi.json. */
export function openApiFile() {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`;
}

/** Returns docs/api.md: an overview of the calls, and the error catalog. */
export function apiPage() {
  /** @type {string[]} */
  const calls = [];
  const { paths } = /** @type {{ paths: Record<string, Record<string, any>> }} */ (openApiDocument());
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { summary, responses, requestBody, security, 'x-scripts': scripts = [] }] of Object.entries(
      operations,
    )) {
      const body = requestBody?.content['application/json'].schema.$ref?.split('/').at(-1) ?? '';
      const answers = Object.entries(/** @type {Record<string, any>} */ (responses))
        .filter(([status]) => status < '300')
        .map(([status, { content }]) => {
          const name = content?.['application/json']?.schema.$ref?.split('/').at(-1);
          const file = content?.['text/csv'] ? ' or CSV' : '';
          const zip = content?.['application/zip'] ? ' ZIP' : '';
          return name ? `${status} ${name}${file}` : `${status}${zip}`;
        });
      const who = security
        ? 'anyone'
        : ['signed in', ...scripts.map((/** @type {string} */ scope) => `${scope} token`)].join(', ');
      calls.push(`| ${method.toUpperCase()} ${path} | ${cell(summary)} | ${who} | ${body} | ${answers.join(', ')} |`);
    }
  const errors = Object.entries(errorCatalog).map(
    ([code, { status, message }]) => `| \`${code}\` | ${status} | ${cell(message)} |`,
  );
  return `${HEADER}# The API

The API is JSON over HTTP. Send \`Authorization: Bearer <access token>\`. An access token expires after 15 minutes; use the
refresh token to get a new one. Paths end in a slash, but also work without it. A running server publishes the full OpenAPI
description at \`/api/openapi.json\` (also in [openapi.json](openapi.json)) and a page to try it out at \`/api/docs/\`.

Scripts use access tokens of their own (see docs/scripts.md), which start with \`hs_\`. Where the table says "share token", one made for that
share may make the call; where it says "account token", one that reads the account. They can't make any other call, which returns 403,
and get 404 for any other share. A token may make 60 calls a minute, all of a user together 300.

Calls with "or CSV" in the response column accept \`?format=csv\`, which returns a file for spreadsheets: UTF-8, a header row,
times in UTC, a dot as the decimal separator, and amounts next to their currency. Text that a spreadsheet would read as a
formula starts with an apostrophe. A CSV file contains the whole list, so \`limit\` and \`cursor\` aren't allowed.

Lists return \`{ "results": [...], "next": cursor or null }\`. To get the next page, send \`next\` as \`?cursor=\` with the same
other parameters; \`null\` means there are no more pages. \`?limit=\` accepts 1 to ${LIST_PAGE_SIZE} (default ${LIST_PAGE_SIZE}); for sessions, 1 to
${LOGS_PAGE_SIZE_MAX} (default ${LOGS_PAGE_SIZE}). Results added or removed between two pages don't cause others to be repeated or skipped.

Amounts are numbers in the currency of their asset, with at most the decimals that ISO 4217 gives it: 15.99 USD, 2000 JPY,
5.125 KWD. They are exact, and the charges of a month add up to its price. Amounts of different currencies are never added up.
\`odd_cents\` counts the smallest units of a charge, such as cents or yen, that come from rounding.

Names and descriptions can't contain invisible or control characters, except where a script or an emoji needs one.

Calls that create something, and ends of sessions, honor \`Idempotency-Key\`: for 24 hours, repeating a request with the same key and body returns
the same bytes.

| Call | What it does | Who | Body | Response |
| --- | --- | --- | --- | --- |
${calls.join('\n')}

## Errors

Every error returns \`{ "error": a message for people, "code": a code for programs, "fields": { name: [message] } }\`.
\`fields\` is only there if a field is invalid. Messages are in English; translate them by \`code\`. Anything the caller isn't
allowed to see returns 404, as if it didn't exist.

| Code | Status | Default message |
| --- | --- | --- |
${errors.join('\n')}
`;
}
