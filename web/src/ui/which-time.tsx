import { instantsOf, type Which } from '../platform/forms/local-times.ts';
import { t } from '../platform/i18n/messages.ts';
import { zonedTimeText } from '../platform/format/time.ts';
import { Select } from './select.tsx';

interface WhichTimeProps {
  label: string;
  /** A local time, as fields have it. */
  local: string;
  /** Its instant that counts. */
  instant: number;
  onChange: (which: Which) => void;
}

/** Asks which of two times is meant if the clocks showed a local time twice. */
export function WhichTime({ label, local, instant, onChange }: WhichTimeProps) {
  const [first, second] = instantsOf(local);
  if (first === undefined || second === undefined) return null;
  return (
    <Select
      label={label}
      hint={t('The clocks were set back, so this time came twice.')}
      value={instant === second ? 'second' : 'first'}
      options={[
        { value: 'first', text: zonedTimeText(first) },
        { value: 'second', text: zonedTimeText(second) },
      ]}
      onChange={(value) => onChange(value === 'second' ? 'second' : 'first')}
    />
  );
}
