import type { TargetFormat } from '@hourshare/contract/notifications';
import { t } from '../../platform/i18n/messages.ts';

// oxlint-disable-next-line hourshare/text-in-catalog -- names of services
const services = { ntfy: 'ntfy', gotify: 'Gotify', slack: 'Slack' };

export const formatName = (format: TargetFormat): string =>
  format === 'json' ? t('Your own program (JSON)') : services[format];

/** An address of each format, as an example. */
export const exampleAddresses: Record<TargetFormat, string> = {
  ntfy: 'https://ntfy.sh/my-topic',
  gotify: 'https://gotify.example.org',
  slack: 'https://hooks.slack.com/services/…',
  json: 'https://example.org/hook',
};
