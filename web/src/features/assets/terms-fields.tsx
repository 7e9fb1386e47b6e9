import { SplitMethod } from '@hourshare/contract/fields';
import { useEffect, useRef } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import { t } from '../../platform/i18n/messages.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { RadioTiles } from '../../ui/radio-tiles.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import { hasBaseShare, methodNames, splitSentence } from '../periods/terms-text.ts';
import { type PresetName, presets, readTerms, type TypedTerms, typedPreset } from './presets.ts';

const PRESETS: PresetName[] = ['plain', 'software', 'vehicle', 'tool', 'other'];

/** What kind of asset it is, as tiles that fill in how its price is split, and under "More" what they filled in. */
export function TermsFields() {
  const { clearErrors, control, formState, getValues, register, setValues } = useFormContext<TypedTerms>();
  const typed = useWatch({ control });
  const { field: method } = useController({ control, name: 'split_method' });
  const { field: measured } = useController({ control, name: 'measured' });
  const { field: takesPart } = useController({ control, name: 'owner_takes_part' });
  const terms = readTerms({ ...getValues(), ...typed });
  const more = useRef<HTMLDetailsElement>(null);
  const { base_percent: wrong } = formState.errors;
  // What is hidden couldn't take the focus when the form was sent.
  useEffect(() => {
    if (!wrong || !more.current || more.current.open) return;
    more.current.open = true;
    if (!document.activeElement?.matches('[aria-invalid]'))
      more.current.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [wrong]);
  return (
    <>
      <RadioTiles
        legend={t('What is it?')}
        value={typed.preset ?? 'other'}
        options={PRESETS.map((value) => {
          const { text, icon, terms: filled } = presets[value];
          return { value, text: text(), icon, hint: splitSentence(filled) };
        })}
        hint={splitSentence(terms)}
        onChange={(preset) => {
          clearErrors('base_percent');
          setValues(typedPreset(preset), { shouldDirty: true });
        }}
      />
      <Disclosure ref={more} summary={<span className="text-[14.5px] font-medium">{t('More')}</span>} className="-my-2">
        <div className="grid gap-4">
          <Checkbox label={t('Measure use')} checked={measured.value} onChange={measured.onChange} />
          {measured.value && (
            <>
              <RadioCards
                legend={t('Method [[cost split]]')}
                value={method.value}
                options={SplitMethod.options.map((value) => ({
                  value,
                  text: methodNames[value](),
                  hint: splitSentence({ ...terms, split_method: value, base_percent: 0 }),
                }))}
                onChange={method.onChange}
              />
              {hasBaseShare(method.value) && (
                <Stepper
                  label={t('Base share (%)')}
                  min={0}
                  max={100}
                  hint={t('Portion of the price split by allowance.')}
                  error={wrong?.message}
                  {...register('base_percent', { onChange: () => clearErrors('base_percent') })}
                />
              )}
              <Checkbox label={t('I use it, too')} checked={takesPart.value} onChange={takesPart.onChange} />
            </>
          )}
        </div>
      </Disclosure>
    </>
  );
}
