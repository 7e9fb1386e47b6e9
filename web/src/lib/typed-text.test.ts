import { afterEach, expect, it } from 'vitest';
import { keepTypedText, withTypedText } from './typed-text.ts';

afterEach(() => window.history.replaceState(null, ''));

it('keeps what was typed, without passwords', () => {
  document.body.innerHTML =
    '<main><input name="username" value="mira"><input name="password" type="password" value="secret"></main>';
  window.history.replaceState({ from: '/costs' }, '');
  keepTypedText();
  expect(window.history.state).toEqual({ from: '/costs', typed: { username: 'mira' } });
  expect(withTypedText({ username: '', email: '' })).toEqual({ username: 'mira', email: '' });
});

it.each([null, 'text', {}, { typed: null }, { typed: { username: 5, other: 'x' } }])(
  'leaves a form empty when the history entry holds %j',
  (state) => {
    window.history.replaceState(state, '');
    expect(withTypedText({ username: '' })).toEqual({ username: '' });
  },
);
