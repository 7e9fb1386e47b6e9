import { classes } from '../../ui/class-names.ts';

interface UseBarProps {
  used: number;
  total: number;
  /** The color of what is used. */
  fill: string | undefined;
  className?: string;
}

/** Hours used of an allowance, and beyond it, as a thin bar beside words that say the same. */
export function UseBar({ used, total, fill, className }: UseBarProps) {
  const whole = Math.max(used, total);
  return (
    <span aria-hidden className={classes('flex h-1.5 gap-0.5 overflow-hidden rounded-[2px] bg-calm', className)}>
      <span className={fill} style={{ width: `${whole > 0 ? (Math.min(used, total) / whole) * 100 : 0}%` }} />
      {used > total && <span className="flex-1 bg-over" />}
    </span>
  );
}
