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

const toFigures = (data: string): string => withPoint(asciiFigures(data).trim());

// The only way to insert text that can be undone.
const insert = (figures: string) => document.execCommand('insertText', false, figures);

/** Browsers drop what isn't ASCII, such as the digits of Arabic and Japanese keyboards, and marks that are copied along. */
function insertInAscii(event: InputEvent): void {
  const { target, data, isComposing } = event;
  if (!isNumberField(target) || data === null || isComposing) return;
  const figures = toFigures(data);
  if (figures === data) return;
  event.preventDefault();
  insert(figures);
}

/** How much of a number field stays while an input method writes into it. */
let lengthBefore = 0;

function beginComposing({ target, data }: CompositionEvent): void {
  if (isNumberField(target)) lengthBefore = target.value.length - data.length;
}

/** Inserts what an input method has written, of which browsers drop all or some only when it is done. */
function insertComposed({ target, data }: CompositionEvent): void {
  // Some browsers keep the text and report bad input.
  if (!isNumberField(target) || target.validity.badInput) return;
  const figures = toFigures(data);
  const inserted = target.value.length - lengthBefore;
  if (inserted >= figures.length) return;
  for (let count = 0; count < inserted; count++) document.execCommand('delete');
  insert(figures);
}

/** Looks after all number fields of the page. Returns a function that stops it. */
export function mendNumberFields(): () => void {
  document.addEventListener('wheel', leaveOnWheel, { passive: true });
  document.addEventListener('beforeinput', insertInAscii);
  document.addEventListener('compositionstart', beginComposing);
  document.addEventListener('compositionend', insertComposed);
  return () => {
    document.removeEventListener('wheel', leaveOnWheel);
    document.removeEventListener('beforeinput', insertInAscii);
    document.removeEventListener('compositionstart', beginComposing);
    document.removeEventListener('compositionend', insertComposed);
  };
}
