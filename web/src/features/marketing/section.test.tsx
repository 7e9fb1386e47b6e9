import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Section } from './section.tsx';
import { REVEAL_AT } from './use-reveal.ts';

afterEach(cleanup);

const section = () => screen.getByRole('region', { name: 'How it works' });
const isFaded = () => section().className.includes('opacity-0');

/** Stands in for the browser's observer; answers what was asked of it and how to tell it what is seen. */
function observe() {
  const asked: unknown[] = [];
  let tell: (ratio: number) => void = () => {};
  const disconnect = vi.fn<() => void>();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(seen: IntersectionObserverCallback, options: IntersectionObserverInit) {
        asked.push(options.threshold);
        tell = (intersectionRatio) =>
          act(() =>
            seen([{ intersectionRatio } as IntersectionObserverEntry], this as unknown as IntersectionObserver),
          );
      }
      observe() {}
      disconnect = disconnect;
    },
  );
  return { asked, disconnect, see: (ratio: number) => tell(ratio) };
}

const show = () =>
  render(
    <Section id="howItWorks" title="How it works">
      Three steps
    </Section>,
  );

describe('a section of the landing page', () => {
  it('fades in once a fifth of it is seen, and stays', () => {
    const { asked, disconnect, see } = observe();
    show();
    expect([REVEAL_AT, asked]).toEqual([0.2, [0.2]]);
    see(0);
    expect(isFaded()).toBe(true);
    see(0.19);
    expect(isFaded()).toBe(true);
    see(0.2);
    expect(isFaded()).toBe(false);
    expect(disconnect).toHaveBeenCalledOnce();
  });

  it('is not taken away from who already sees a part of it', () => {
    const { disconnect, see } = observe();
    show();
    see(0.05);
    expect(isFaded()).toBe(false);
    expect(disconnect).toHaveBeenCalledOnce();
  });

  it('is simply there without observers', () => {
    vi.stubGlobal('IntersectionObserver', undefined);
    show();
    expect(isFaded()).toBe(false);
  });

  it('is simply there for who wants no motion', () => {
    const { asked } = observe();
    vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
    show();
    expect([isFaded(), asked]).toEqual([false, []]);
  });

  it('has the id that links lead to', () => {
    show();
    expect(section().id).toBe('howItWorks');
  });
});
