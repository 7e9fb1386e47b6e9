import { Card } from './card.tsx';
import { classes } from './class-names.ts';

export const Bar = ({ className }: { className: string }) => (
  <span className={`block animate-pulse rounded-[8px] bg-calm motion-reduce:animate-none ${className}`} />
);

interface CardSkeletonsProps {
  count?: number;
  /** The class of a grid that other cards share. */
  className?: string;
}

/** Placeholders as high as the cards to come, so that the layout does not shift. Hidden from screen readers. */
export const CardSkeletons = ({ count = 4, className }: CardSkeletonsProps) => (
  <ul aria-hidden className={classes('grid gap-2.5 md:grid-cols-2 md:gap-4', className)}>
    {Array.from({ length: count }, (_, index) => (
      <Card as="li" key={index} className="flex min-h-[138px] flex-col md:min-h-[210px]">
        <div className="flex items-center gap-3">
          <Bar className="size-12 rounded-tile!" />
          <div className="grow">
            <Bar className="h-4 w-3/5" />
            <Bar className="mt-2.5 h-3 w-2/5" />
          </div>
          <Bar className="size-14 rounded-full! md:hidden" />
        </div>
        <Bar className="mt-4 h-2.5 w-full md:mt-10" />
        <div className="mt-auto flex items-center justify-between max-md:hidden">
          <div>
            <Bar className="h-5 w-26" />
            <Bar className="mt-2 h-3 w-18" />
          </div>
          <Bar className="size-14 rounded-full!" />
        </div>
      </Card>
    ))}
  </ul>
);
