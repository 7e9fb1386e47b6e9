// @vitest-environment happy-dom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { keepTypedText, useTypedText } from './typed-text.ts';

afterEach(cleanup);
afterEach(() => window.history.replaceState(null, ''));

const firstValues = <Values extends Record<string, string>>(values: Values) =>
  renderHook(() => useTypedText(values)).result.current;

it('gives back once what was typed, without passwords', () => {
  document.body.innerHTML =
    '<main><input name="username" value="mira"><input name="password" type="password" value="secret"></main>';
  window.history.replaceState({ from: '/costs' }, '');
  keepTypedText();
  expect(window.history.state).toEqual({ from: '/costs', typed: { username: 'mira' } });
  expect(firstValues({ username: '', email: '' })).toEqual({ username: 'mira', email: '' });
  expect(window.history.state).toEqual({ from: '/costs' });
  expect(firstValues({ username: '', email: '' })).toEqual({ username: '', email: '' });
});

it.each([null, 'text', {}, { typed: null }, { typed: { username: 5, other: 'x' } }])(
  'leaves a form empty if the history entry is %j',
  (state) => {
    window.history.replaceState(state, '');
    expect(firstValues({ username: '' })).toEqual({ username: '' });
  },
);
