import { toneAt } from '../../ui/progress.tsx';

/**
 * The hour strip of the worked example. An SVG, because the content security policy forbids inline styles in
 * prerendered pages.
 */
export function ExampleStrip({ parts, text }: { parts: number[]; text: string }) {
  const percent = (part: number) => `${Math.round(part * 10_000) / 100}%`;
  return (
    <div role="img" aria-label={text}>
      <svg aria-hidden width="100%" height="12" className="block rounded-[3px] bg-calm">
        {parts.map((part, index) => (
          <rect
            key={index}
            x={percent(parts.slice(0, index).reduce((sum, before) => sum + before, 0))}
            width={percent(part)}
            height="12"
            fill={`var(--${toneAt(index)})`}
          />
        ))}
      </svg>
      <div className="ruler mt-[3px]" />
    </div>
  );
}
