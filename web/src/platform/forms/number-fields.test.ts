// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { mendNumberFields } from './number-fields.ts';

const inserted = vi.fn<(command: string, _: boolean, text: string) => void>();
let stop = () => {};
beforeEach(() => {
  inserted.mockClear();
  Object.assign(document, { execCommand: inserted });
  document.body.innerHTML = '<input type="number" value="20"><input value="20">';
  stop = mendNumberFields();
});
afterEach(() => {
  stop();
  vi.restoreAllMocks();
});

const field = (index: number) => document.querySelectorAll('input')[index]!;

it('a number field that the wheel turns over loses the focus, and only while it has it', () => {
  field(0).focus();
  field(1).dispatchEvent(new WheelEvent('wheel', { bubbles: true }));
  expect(document.activeElement).toBe(field(0));
  field(0).dispatchEvent(new WheelEvent('wheel', { bubbles: true }));
  expect(document.activeElement).toBe(document.body);
});

it.each([
  ['٢٠', '20'],
  ['۲۰', '20'],
  ['２０', '20'],
  ['\u200e20\u00a0', '20'],
  [',', '.'],
  ['7,5', '7.5'],
  ['1,234', '1234'],
])('%j is typed or pasted into a number field in ASCII', (data, figures) => {
  const event = new InputEvent('beforeinput', { data, bubbles: true, cancelable: true });
  field(0).dispatchEvent(event);
  expect([event.defaultPrevented, inserted.mock.calls]).toEqual([true, [['insertText', false, figures]]]);
});

it('a comma is left to browsers whose language writes one', () => {
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('de-DE');
  const event = new InputEvent('beforeinput', { data: '7,5', bubbles: true, cancelable: true });
  field(0).dispatchEvent(event);
  expect(event.defaultPrevented).toBe(false);
});

/** Composes a text of which the browser keeps a part. */
function compose(index: number, data: string, { selected = '', keeps = '' } = {}): void {
  const { value } = field(index);
  const dispatch = (type: string, text: string) =>
    field(index).dispatchEvent(Object.assign(new Event(type, { bubbles: true }), { data: text }));
  dispatch('compositionstart', selected);
  field(index).value = value.slice(0, value.length - selected.length) + keeps;
  dispatch('compositionend', data);
}

it.each([
  ['٢٠', {}, [['insertText', false, '20']]],
  ['२०', { selected: '20' }, [['insertText', false, '20']]],
  ['７，５', { keeps: '75' }, [['delete'], ['delete'], ['insertText', false, '7.5']]],
  ['２０', { keeps: '20' }, []],
  ['20', { keeps: '20' }, []],
  ['', {}, []],
])('%j that an input method writes into a number field is inserted in ASCII', (data, browser, commands) => {
  compose(0, data, browser);
  expect(inserted.mock.calls).toEqual(commands);
});

it('what an input method writes into other fields, or a browser keeps as it is, is left alone', () => {
  compose(1, '٢٠');
  vi.spyOn(field(0), 'validity', 'get').mockReturnValue({ badInput: true } as ValidityState);
  compose(0, '٢٠');
  expect(inserted).not.toHaveBeenCalled();
});

it('other fields, and what is ASCII already, are left alone', () => {
  for (const [index, data] of [
    [0, '20'],
    [1, '٢٠'],
  ] as const) {
    const event = new InputEvent('beforeinput', { data, bubbles: true, cancelable: true });
    field(index).dispatchEvent(event);
    expect(event.defaultPrevented).toBe(false);
  }
});
