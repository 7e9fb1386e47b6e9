import { describe, expect, it } from 'vitest';
import { safeReturn } from './safe-return.ts';

describe('safeReturn', () => {
  it.each(['/assets', '/shared?share=7&tab=usage', '/analytics#top', '/', '/settings?next=https://evil.example'])(
    'returns an address inside the app unchanged: %s',
    (from) => {
      expect(safeReturn(from)).toBe(from);
    },
  );

  it.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/../..//evil.example',
    'https://evil.example',
    'https:evil.example',
    'http:/\\evil.example',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,hello',
    'evil.example',
    'assets',
    '',
    undefined,
    null,
    42,
    ['/assets'],
  ])('returns the dashboard for %j', (from) => {
    expect(safeReturn(from)).toBe('/dashboard');
  });
});
