import type { Meter, MeterName } from '@hourshare/contract/meters';
import { useId, useState } from 'react';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Select } from '../../ui/select.tsx';
import { useShowAll } from '../../ui/show-all.tsx';
import { announce } from '../../ui/toasts.ts';
import { useMatchNames, type MeterKey } from './api.ts';
import { waitingText } from './meter-text.ts';

const NOBODY = '';
/** More would push what follows off the screen. */
const MAX_SHOWN = 8;

const valueOf = ({ share_id: id }: MeterName) => (id === null ? NOBODY : String(id));

/** Whom the names mean that a meter uses, to be saved with the other forms of the dialog. */
export function MeterNames({ meter, meterKey }: { meter: Meter; meterKey: MeterKey }) {
  const headingId = useId();
  const match = useMatchNames(meterKey);
  const [chosen, setChosen] = useState<Partial<Record<string, string>>>({});
  // Those of whom nothing is known come first, and stay in place while someone chooses.
  const sorted = meter.names.toSorted((one, other) => Number(one.share_id !== null) - Number(other.share_id !== null));
  const { shown, itemProps, showAll } = useShowAll(sorted, MAX_SHOWN);
  const changed = meter.names.flatMap((name) => {
    const next = chosen[name.external_name] ?? valueOf(name);
    return next === valueOf(name)
      ? []
      : { external_name: name.external_name, share_id: next === NOBODY ? null : Number(next) };
  });
  const save = async () => {
    try {
      await match.mutateAsync({ names: changed });
      setChosen({});
      announce(t('Names saved.'));
      return true;
    } catch {
      return false;
    }
  };
  useUnsaved(changed.length > 0, { save });
  const members = meter.members.map(({ share_id: id, username }) => ({ value: String(id), text: username }));
  return (
    <section aria-labelledby={headingId}>
      <h4 id={headingId} className="mb-2 font-semibold">
        {t("Who's who")}
      </h4>
      {match.isError && (
        <Banner className="mb-3">{errorText(match.error) || t("Couldn't save the names. Please try again.")}</Banner>
      )}
      <ul role="list" className="grid gap-3 sm:grid-cols-2">
        {shown.map((name, index) => (
          <li key={name.external_name} {...itemProps(index)} className="min-w-0 [overflow-wrap:anywhere]">
            <Select
              label={name.external_name}
              hint={waitingText(name)}
              value={chosen[name.external_name] ?? valueOf(name)}
              options={[{ value: NOBODY, text: t('Nobody') }, ...members]}
              onChange={(value) => setChosen({ ...chosen, [name.external_name]: value })}
            />
          </li>
        ))}
      </ul>
      {showAll}
    </section>
  );
}
