import { asciiFigures } from '@hourshare/contract/figures';

const isNumberField = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.type === 'number';

/** Lets the page scroll instead of changing the number, which no one notices. */
function leaveOnWheel({ target }: Event): void {
  if (isNumberField(target) && target === document.activeElement) target.blur();
}

/**
 * Browsers whose language writes a point drop a comma, so that 7,5 would become 75. With the point, it is refused where only whole
 * numbers are valid.
 */
const withPoint = (figures: string): string =>
  (0.5).toLocaleString(navigator.language).includes(',')
    ? figures
    : figures.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '').replace(',', '.');

/** Browsers drop what isn't ASCII, such as the digits of Arabic and Japanese keyboards, and marks that are copied along. */
function insertInAscii(event: InputEvent): void {
  const { target, data, isComposing } = event;
  if (!isNumberField(target) || data === null || isComposing) return;
  const figures = withPoint(asciiFigures(data).trim());
  if (figures === data) return;
  event.preventDefault();
  // The only way to insert text that can be undone.
  document.execCommand('insertText', false, figures);
}

/** Looks after all number fields of the page. Returns a function that stops it. */
export function mendNumberFields(): () => void {
  document.addEventListener('wheel', leaveOnWheel, { passive: true });
  document.addEventListener('beforeinput', insertInAscii);
  return () => {
    document.removeEventListener('wheel', leaveOnWheel);
    document.removeEventListener('beforeinput', insertInAscii);
  };
}
