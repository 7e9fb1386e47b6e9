import { Card, CardGrid } from './card.tsx';
import { Spinner } from './spinner.tsx';

const Bar = ({ className }: { className: string }) => (
  <div className={`animate-pulse rounded-[4px] bg-calm ${className}`} />
);

/**
 * Placeholders as high as the cards to come, so that the layout does not shift. Hidden from screen readers; a spinner
 * announces the loading.
 */
function CardSkeletons({ count = 2 }: { count?: number }) {
  return (
    <div aria-hidden>
      <CardGrid>
        {Array.from({ length: count }, (_, index) => (
          <Card as="li" key={index} className="min-h-[188px]">
            <div className="flex items-center gap-3">
              <Bar className="size-10 rounded-control" />
              <div className="grow">
                <Bar className="h-4 w-2/3" />
                <Bar className="mt-2 h-3 w-2/5" />
              </div>
            </div>
            <Bar className="mt-5 h-3 w-full" />
            <Bar className="mt-6 h-4 w-1/3" />
            <Bar className="mt-2 h-3 w-1/2" />
          </Card>
        ))}
      </CardGrid>
    </div>
  );
}

export const LoadingCards = ({ label }: { label: string }) => (
  <div className="relative">
    <CardSkeletons />
    <Spinner label={label} size={28} className="absolute inset-0 justify-center" />
  </div>
);
