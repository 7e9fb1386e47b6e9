type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat' | 'isComposing' | 'defaultPrevented'
>;

// The letter may be another one on a keyboard without Latin letters.
const isLetterK = ({ key, code }: KeyPress) => (/^[a-z]$/i.test(key) ? key.toLowerCase() === 'k' : code === 'KeyK');

/** Returns whether Ctrl and K or Cmd and K were pressed, which open the palette. */
export function opensPalette(press: KeyPress): boolean {
  if (press.defaultPrevented || press.isComposing || press.repeat || press.altKey || press.shiftKey) return false;
  return press.ctrlKey !== press.metaKey && isLetterK(press);
}
