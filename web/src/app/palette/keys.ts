type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing' | 'defaultPrevented' | 'target'
>;

export type Shortcut = 'palette' | 'filter' | 'keys';

const SINGLE_KEYS = 'hourshare_single_keys';

/** Speech input and stray presses trigger single keys, so they can be turned off (WCAG 2.1.4). */
export const areSingleKeysOn = (): boolean => localStorage.getItem(SINGLE_KEYS) !== 'off';

export function chooseSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(SINGLE_KEYS);
  else localStorage.setItem(SINGLE_KEYS, 'off');
}

// The letter may be another one on a keyboard without Latin letters.
const isLetterK = ({ key, code }: KeyPress) => (/^[a-z]$/i.test(key) ? key.toLowerCase() === 'k' : code === 'KeyK');

const FIELDS = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';

/** Returns what a key press does on every page: Ctrl or Cmd and K, a slash or a question mark. */
export function findShortcut(press: KeyPress): Shortcut | null {
  if (press.defaultPrevented || press.isComposing || press.altKey) return null;
  if (press.ctrlKey !== press.metaKey) return isLetterK(press) && !press.shiftKey ? 'palette' : null;
  if (press.ctrlKey || !areSingleKeysOn()) return null;
  if (press.target instanceof Element && press.target.matches(FIELDS)) return null;
  // By character: some keyboards need Shift for the slash.
  return press.key === '/' ? 'filter' : press.key === '?' ? 'keys' : null;
}
