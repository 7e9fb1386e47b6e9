// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { isStreamConnected, useReloadInterval } from './stream-state.ts';

afterEach(() => {
  cleanup();
  isStreamConnected.set(false);
});

it('lists are read again each minute only without a stream of events', () => {
  const { result } = renderHook(() => useReloadInterval());
  expect(result.current).toBe(60_000);
  act(() => isStreamConnected.set(true));
  expect(result.current).toBe(300_000);
});
