import { Pause, Play } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { classes } from '../../ui/class-names.ts';
import { useRotation } from './use-rotation.ts';

interface CarouselProps {
  label: string;
  slides: { name: string; content: ReactNode }[];
}

const control = 'inline-flex size-11 items-center justify-center rounded-full';

/**
 * Shows one slide at a time and pauses on hover and focus. It announces slides only while it does not rotate, and shows
 * all of them without scripts.
 */
export function Carousel({ label, slides }: CarouselProps) {
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const { current, show, isStopped, setStopped, isRotating } = useRotation(slides.length, isHovered || isFocused);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- nothing to press: it only waits for who is there
    <div
      role="group"
      aria-roledescription={t('carousel')}
      aria-label={label}
      className="rounded-paper bg-sunken p-5 sm:p-8"
      onPointerEnter={({ pointerType }) => setHovered(pointerType === 'mouse')}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={({ currentTarget, relatedTarget }) => setFocused(currentTarget.contains(relatedTarget))}
    >
      {/* Slides overlap, so that the tallest sets the height and the layout never shifts. */}
      <div aria-live={isRotating ? 'off' : 'polite'} className="grid noscript:gap-8">
        {slides.map(({ name, content }, index) => (
          <div
            key={name}
            role="group"
            aria-roledescription={t('slide')}
            aria-label={t('{position} of {total}', { position: index + 1, total: slides.length })}
            className={classes(
              'col-start-1 row-start-1 transition-[opacity,visibility] duration-200 noscript:visible noscript:row-auto noscript:opacity-100',
              index !== current && 'invisible opacity-0',
            )}
          >
            {content}
          </div>
        ))}
      </div>
      <div className="mt-4 -ms-3.5 flex items-center noscript:hidden">
        {slides.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            aria-label={t('Show {position} of {total}: {name}', { position: index + 1, total: slides.length, name })}
            aria-current={index === current}
            onClick={() => show(index)}
            className={`${control} group`}
          >
            <span
              className={classes(
                'size-2.5 rounded-full transition-colors duration-150',
                index === current ? 'bg-accent' : 'bg-line-field group-hover:bg-muted',
              )}
            />
          </button>
        ))}
        <button
          type="button"
          aria-label={isStopped ? t('Resume rotation') : t('Pause rotation')}
          onClick={() => setStopped(!isStopped)}
          className={`${control} ms-auto text-muted hover:text-ink`}
        >
          {isStopped ? <Play aria-hidden size={18} /> : <Pause aria-hidden size={18} />}
        </button>
      </div>
    </div>
  );
}
