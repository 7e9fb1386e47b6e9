import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Section } from './section.tsx';
import { REVEAL_AT } from './use-reveal.ts';

afterEach(cleanup);

const section = () => screen.getByRole('region', { name: 'How it works' });
const isFaded = () => section().className.includes('opacity-0');

/** Stubs IntersectionObserver. Returns the requested thresholds and a function that reports visibility. */
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

describe('a landing page section', () => {
  it('fades in once a fifth of it is visible, and stays', () => {
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

  it('is not hidden if part of it is already visible', () => {
    const { disconnect, see } = observe();
    show();
    see(0.05);
    expect(isFaded()).toBe(false);
    expect(disconnect).toHaveBeenCalledOnce();
  });

  it('is visible without IntersectionObserver', () => {
    vi.stubGlobal('IntersectionObserver', undefined);
    show();
    expect(isFaded()).toBe(false);
  });

  it('is visible with reduced motion', () => {
    const { asked } = observe();
    vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
    show();
    expect([isFaded(), asked]).toEqual([false, []]);
  });

  it('has the id that links point to', () => {
    show();
    expect(section().id).toBe('howItWorks');
  });
});
