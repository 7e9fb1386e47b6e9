import { useId } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { classes } from '../../ui/class-names.ts';
import { ANA_HOURS, exampleHours } from './example.ts';

const percent = (hours: number) => `${(hours / ANA_HOURS.max) * 100}%`;

interface HoursSliderProps {
  name: string;
  hours: number;
  onChange: (hours: number) => void;
}

/** Changes a person's hours in the worked example. Without scripts it's hidden, and the example stays as it is. */
export function HoursSlider({ name, hours, onChange }: HoursSliderProps) {
  const id = useId();
  const isOver = hours > ANA_HOURS.allowed;
  const overText = isOver && 'text-over-text';
  return (
    <div className="figures mt-3.5 border-t border-line pt-3.5 print:hidden noscript:hidden">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="text-[14.5px] font-semibold">
          {t("{name}'s hours", { name })}
        </label>
        <output htmlFor={id} className={classes('font-display text-[19px] font-bold', overText || 'text-accent-text')}>
          {exampleHours(hours)}
        </output>
      </div>
      <div className="relative h-11">
        {/* The thumb's middle moves between 14 px from either end. An SVG needs no inline style. */}
        <svg aria-hidden className="absolute inset-x-3.5 top-[19px] h-1.5 w-[calc(100%-28px)] rtl:-scale-x-100">
          <rect width="100%" height="6" rx="3" fill="var(--line-field)" />
          <rect width={percent(hours)} height="6" rx="3" fill="var(--m1)" />
        </svg>
        <input
          id={id}
          type="range"
          min={0}
          max={ANA_HOURS.max}
          step={0.5}
          value={hours}
          aria-valuetext={t('{hours, plural, one {# hour} other {# hours}}', { hours })}
          onChange={(event) => onChange(event.target.valueAsNumber)}
          className="range-thumb absolute inset-0 w-full"
        />
      </div>
      <div aria-hidden className="mx-3.5 flex text-[12px] text-muted">
        <span className="w-2/3">{exampleHours(0)}</span>
        <span className={classes('w-0', overText)}>
          <span className="inline-block -translate-x-1/2 whitespace-nowrap rtl:translate-x-1/2">
            {t('{hours} allowed', { hours: exampleHours(ANA_HOURS.allowed) })}
          </span>
        </span>
        <span className="flex-1 text-end">{exampleHours(ANA_HOURS.max)}</span>
      </div>
    </div>
  );
}
