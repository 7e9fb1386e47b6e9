import { Logo } from '../../ui/brand.tsx';
import { Bar, CardSkeletons } from '../../ui/skeleton.tsx';

/**
 * What app.html shows someone who is signed in before any script has run: the frame where it will be, without words, which have no
 * language yet.
 */
export const FirstFrame = () => (
  <div aria-hidden className="hidden in-data-signed-in:block print:hidden">
    <div className="h-14 border-b border-line bg-surface">
      <div className="mx-auto flex h-full max-w-(--shell) items-center gap-2 px-3 md:px-5">
        <Logo />
      </div>
    </div>
    <div className="overflow-x-clip bg-canvas">
      <div className="mx-auto flex min-h-[calc(100dvh-56px)] max-w-(--shell)">
        <div className="relative hidden w-[84px] shrink-0 border-e border-line bg-surface before:absolute before:inset-y-0 before:end-full before:w-[50vw] before:bg-surface md:block lg:w-[248px]" />
        <div className="min-w-0 flex-1 px-3.5 pt-5 md:px-6 md:pt-7 lg:px-8 short:pt-4">
          <Bar className="mb-6 h-8 w-44" />
          <CardSkeletons />
        </div>
      </div>
    </div>
    <div className="fixed inset-x-0 bottom-0 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden">
      <div className="min-h-14" />
    </div>
  </div>
);
