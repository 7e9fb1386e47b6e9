import type { Statement } from '@hourshare/contract/statements';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { dayText } from '../../platform/format/time.ts';

interface BillingNoteProps {
  statement: Pick<Statement, 'month' | 'deleted_at' | 'unbilled'>;
  className?: string;
}

/** Says that a month ended early or isn't billed, because its asset was deleted or archived; nothing of other months. */
export function BillingNote({ statement, className }: BillingNoteProps) {
  const text = billingText(statement);
  return text !== null && <p className={className}>{text}</p>;
}

function billingText({ month: first, deleted_at: deletedAt, unbilled }: BillingNoteProps['statement']): string | null {
  const month = monthText(first);
  if (deletedAt === null) return unbilled ? t("The asset was archived. {month} isn't billed.", { month }) : null;
  const day = dayText(deletedAt);
  return unbilled
    ? t("The asset was deleted on {day}. {month} isn't billed.", { day, month })
    : t('The asset was deleted on {day}. Days and use count up to then.', { day });
}
