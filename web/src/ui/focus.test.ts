// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { keepFocusInPage } from './focus.ts';

/** Returns a function that runs what was to happen later. */
function holdTimers(): () => void {
  const later: (() => void)[] = [];
  vi.spyOn(window, 'setTimeout').mockImplementation((run) => later.push(run as () => void));
  return () => {
    for (const run of later) run();
  };
}

const open = (role: string) => {
  const dialog = document.createElement('div');
  dialog.setAttribute('role', role);
  return document.body.appendChild(dialog);
};

describe('keepFocusInPage', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    document.body.replaceChildren();
  });

  it('focuses the heading of the page if the focus was lost', () => {
    document.body.innerHTML = '<main><h1>Costs</h1></main>';
    const settle = holdTimers();
    keepFocusInPage();
    settle();
    expect(document.activeElement?.textContent).toBe('Costs');
  });

  it('focuses what follows, unless that has left the page, too', () => {
    document.body.innerHTML = '<main><h1>Costs</h1><ul><li><button>Next</button></li></ul></main>';
    const button = document.querySelector('button')!;
    const settle = holdTimers();
    keepFocusInPage(() => button);
    settle();
    expect(document.activeElement).toBe(button);
    document.querySelector('ul')!.remove();
    keepFocusInPage(() => button);
    settle();
    expect(document.activeElement?.textContent).toBe('Costs');
  });

  it('focuses the dialog below one that was closed', () => {
    document.body.innerHTML = '<main><h1>Costs</h1></main>';
    const below = open('dialog');
    const closed = open('alertdialog');
    const settle = holdTimers();
    keepFocusInPage();
    closed.remove();
    settle();
    expect(document.activeElement).toBe(below);
  });

  it('focuses what follows, if it is in the page or the open dialog', () => {
    document.body.innerHTML = '<main><h1>Costs</h1><button>Next</button></main>';
    const next = document.querySelector('button');
    const settle = holdTimers();
    keepFocusInPage(() => next);
    settle();
    expect(document.activeElement).toBe(next);
  });

  it('focuses the open dialog instead of what follows behind it', () => {
    document.body.innerHTML = '<main><h1>Costs</h1><button>Next</button></main>';
    const below = open('dialog');
    const settle = holdTimers();
    keepFocusInPage(() => document.querySelector('button'));
    settle();
    expect(document.activeElement).toBe(below);
  });

  it('leaves the focus to a dialog that opens meanwhile', () => {
    const settle = holdTimers();
    keepFocusInPage();
    open('dialog');
    settle();
    expect(document.activeElement).toBe(document.body);
  });
});
