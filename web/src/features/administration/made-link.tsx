import { t } from '../../platform/i18n/messages.ts';
import { dateTimeText } from '../../platform/format/time.ts';
import { CopyField } from '../../ui/copy-field.tsx';

/** A link that is shown only now, to pass on. */
export const MadeLink = ({ label, made }: { label: string; made: { link: string; expires_at: string } }) => (
  <div className="mt-3.5">
    <CopyField
      label={label}
      value={made.link}
      hint={t('Works once, until {time}. It is shown only now.', { time: dateTimeText(made.expires_at) })}
    />
  </div>
);
