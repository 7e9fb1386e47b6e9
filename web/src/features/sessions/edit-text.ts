import type { SessionEdit } from '@hourshare/contract/sessions';
import { t } from '../../platform/i18n/messages.ts';

/** Describes to the owner how a session was edited; a removed session still shows its times. */
export function editText(edit: SessionEdit, moment: (instant: string) => string): string {
  const when = moment(edit.at);
  if (edit.kind === 'restored') return t('Recorded times restored {when}.', { when });
  if (edit.kind === 'removed') return t('Removed {when}.', { when });
  const [start, end] = [moment(edit.start_time), moment(edit.end_time)];
  return t('Edited {when}. Originally {start}–{end}.', { when, start, end });
}
