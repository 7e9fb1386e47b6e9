import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Testimonials } from './testimonials.tsx';
import { ROTATE_EVERY_MS } from './use-rotation.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const dots = () => screen.getAllByRole('button', { name: /^Show \d of \d: / });
const shown = () => dots().findIndex((dot) => dot.getAttribute('aria-current') === 'true');
const advance = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds));
const carousel = () => screen.getByRole('group', { name: 'Households that share' });
const live = () => carousel().querySelector('[aria-live]')?.getAttribute('aria-live');

function preferReducedMotion() {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      ({
        media,
        matches: media.includes('reduce'),
        addEventListener() {},
        removeEventListener() {},
      }) as unknown as MediaQueryList,
  );
}

describe('testimonials', () => {
  it('rotate every five seconds and wrap around', () => {
    render(<Testimonials />);
    expect(ROTATE_EVERY_MS).toBe(5000);
    expect(shown()).toBe(0);
    advance(4999);
    expect(shown()).toBe(0);
    advance(1);
    expect(shown()).toBe(1);
    for (let count = 2; count <= dots().length; count++) advance(5000);
    expect(shown()).toBe(0);
  });

  it('show the selected slide for its full time', () => {
    render(<Testimonials />);
    advance(4000);
    fireEvent.click(screen.getByRole('button', { name: 'Show 3 of 4: Friends with a design tool' }));
    expect(shown()).toBe(2);
    advance(4999);
    expect(shown()).toBe(2);
    advance(1);
    expect(shown()).toBe(3);
  });

  it('pause on hover', () => {
    render(<Testimonials />);
    fireEvent.pointerEnter(carousel(), { pointerType: 'mouse' });
    advance(20_000);
    expect(shown()).toBe(0);
    fireEvent.pointerLeave(carousel(), { pointerType: 'mouse' });
    advance(5000);
    expect(shown()).toBe(1);
  });

  it('pause on focus and announce the selected slide', () => {
    render(<Testimonials />);
    expect(live()).toBe('off');
    act(() => dots()[1]?.focus());
    expect(live()).toBe('polite');
    advance(20_000);
    expect(shown()).toBe(0);
    act(() => dots()[2]?.focus());
    advance(20_000);
    expect(shown()).toBe(0);
    act(() => dots()[2]?.blur());
    expect(live()).toBe('off');
    advance(5000);
    expect(shown()).toBe(1);
  });

  it('pause in a hidden tab', () => {
    render(<Testimonials />);
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    advance(20_000);
    expect(shown()).toBe(0);
    hidden.mockReturnValue(false);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    advance(5000);
    expect(shown()).toBe(1);
  });

  it('stop and resume with a button', () => {
    render(<Testimonials />);
    fireEvent.click(screen.getByRole('button', { name: 'Pause rotation' }));
    advance(20_000);
    expect(shown()).toBe(0);
    fireEvent.click(screen.getByRole('button', { name: 'Resume rotation' }));
    advance(5000);
    expect(shown()).toBe(1);
  });

  it('start stopped with reduced motion', () => {
    preferReducedMotion();
    render(<Testimonials />);
    advance(20_000);
    expect(shown()).toBe(0);
    fireEvent.click(screen.getByRole('button', { name: 'Resume rotation' }));
    advance(5000);
    expect(shown()).toBe(1);
  });
});
