import type { LucideIcon } from 'lucide-react';
import { useId } from 'react';

interface RadioTilesProps<Value extends string> {
  legend: string;
  value: Value;
  /** The last one is apart from the others, which it is the way around. */
  options: { value: Value; text: string; hint: string; icon: LucideIcon }[];
  /** What is shown below the tiles; each tile's own hint is only read. */
  hint: string;
  onChange: (value: Value) => void;
}

/** Radio buttons as tiles with a glyph. On a phone the last one takes a whole row. */
export function RadioTiles<Value extends string>({ legend, value, options, hint, onChange }: RadioTilesProps<Value>) {
  const id = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-[14px] font-semibold">{legend}</legend>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-5">
        {options.map(({ value: own, text, icon: Icon }) => (
          <label
            key={own}
            className="flex min-h-14 min-w-0 cursor-pointer items-center gap-2.5 rounded-control border border-line-field px-3 py-2 transition-colors last:border-dashed last:max-sm:col-span-2 hover:border-accent has-checked:border-solid has-checked:border-accent has-checked:bg-accent-soft/45 has-checked:inset-ring has-checked:inset-ring-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent sm:flex-col sm:justify-start sm:gap-1.5 sm:px-1.5 sm:py-3 sm:text-center"
          >
            <input
              type="radio"
              name={id}
              value={own}
              checked={own === value}
              aria-describedby={`${id}-${own}`}
              onChange={() => onChange(own)}
              className="peer sr-only"
            />
            <Icon aria-hidden size={22} className="shrink-0 text-muted peer-checked:text-accent-text" />
            <span className="min-w-0 text-small leading-snug font-medium hyphens-auto [overflow-wrap:anywhere]">
              {text}
            </span>
          </label>
        ))}
      </div>
      {options.map(({ value: own, hint: ownHint }) => (
        <span key={own} id={`${id}-${own}`} hidden>
          {ownHint}
        </span>
      ))}
      {/* Two lines high on a phone, so that nothing below moves from one choice to the next. */}
      <p className="mt-2 text-small text-muted max-sm:min-h-[2lh]">{hint}</p>
    </fieldset>
  );
}
