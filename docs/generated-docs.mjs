import { secretNames, settings } from '../server/src/config.ts';

// Generates documents from tables of the server; docs/generated-docs.test.mjs compares and writes the files.

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
    [
      'SMTP_URL',
      'MAIL_FROM',
      'PUSH_SERVICES',
      'PUSH_ALLOW_PRIVATE',
      'WEBHOOK_HOSTS',
      'VAPID_PUBLIC_KEY',
      'VAPID_PRIVATE_KEY',
    ],
  ],
  [
    'Sign-in',
    `See ${howTo('Sign-in providers', '#sign-in-providers')}.`,
    [
      'PASSWORD_MIN_LENGTH',
      'LANDING_PAGE',
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
