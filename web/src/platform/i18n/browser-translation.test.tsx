// @vitest-environment happy-dom
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { surviveTranslation } from './browser-translation.ts';

beforeAll(surviveTranslation);
afterEach(cleanup);

const textsIn = (root: Node) => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts.filter((text) => text.parentElement?.nodeName !== 'FONT');
};

const wrapperOf = (text: string) => {
  const font = document.createElement('font');
  font.append(Object.assign(document.createElement('font'), { textContent: text.toUpperCase() }));
  return font;
};

const translators: Record<string, (text: Text) => void> = {
  'replaces text': (text) => text.replaceWith(wrapperOf(text.data)),
  'inserts before text, and removes it': (text) => {
    text.before(wrapperOf(text.data));
    text.remove();
  },
  'moves text into an element': (text) => {
    const font = document.createElement('font');
    text.before(font);
    font.append(text);
  },
};

function Page({ count, isActive }: { count: number; isActive: boolean }) {
  return (
    <p>
      {isActive && 'Active. '}
      {count} hours
      {isActive ? <b>End</b> : 'Start'}
      {isActive && ' now'}
    </p>
  );
}

describe.each(Object.entries(translators))('a page whose translator %s', (_, translate) => {
  const shown = (container: Element) => container.textContent?.toLowerCase();

  it('changes, removes, and adds text', async () => {
    const { container, rerender } = render(<Page count={1} isActive={false} />);
    const states: [number, boolean][] = [
      [2, false],
      [3, true],
      [3, false],
      [4, true],
      [5, false],
    ];
    for (const [count, isActive] of states) {
      for (const text of textsIn(container)) translate(text);
      // A translator works between two renders.
      await act(() => Promise.resolve());
      rerender(<Page count={count} isActive={isActive} />);
      expect(shown(container)).toBe(isActive ? `active. ${count} hoursend now` : `${count} hoursstart`);
    }
  });

  it('is left', async () => {
    const { container, unmount } = render(<Page count={1} isActive />);
    for (const text of textsIn(container)) translate(text);
    await act(() => Promise.resolve());
    unmount();
    expect(container.textContent).toBe('');
  });
});
