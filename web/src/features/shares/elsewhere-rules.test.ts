// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { qrFile } from '../../ui/qr-code.tsx';
import { curlLine, startAddress } from './elsewhere-rules.ts';

describe('the shell command', () => {
  it.each(['start', 'end'] as const)('sends one request with the token in a header, to %s', (verb) => {
    expect(curlLine(verb, { shareId: 12, token: 'hs_abc-_1', origin: 'https://hours.example.org:8443' })).toBe(
      `curl -X POST -H 'Authorization: Bearer hs_abc-_1' 'https://hours.example.org:8443/api/shared-assets/12/${verb}/'`,
    );
  });

  it('quotes special characters of the shell', () => {
    expect(curlLine('end', { shareId: 1, token: '$(id)', origin: "a'; id; '" })).toBe(
      String.raw`curl -X POST -H 'Authorization: Bearer $(id)' 'a'\''; id; '\''/api/shared-assets/1/end/'`,
    );
  });
});

it('the page with one button has the asset id in its address', () => {
  expect(startAddress(3, 'https://hours.example.org')).toBe('https://hours.example.org/start/3');
});

describe('the QR code to print', () => {
  const parsed = (caption: string) =>
    new DOMParser().parseFromString(qrFile('https://hours.example.org/start/3', caption), 'image/svg+xml');

  it('is an SVG with the name below', () => {
    const svg = parsed('Sauna').documentElement;
    expect(svg.getAttribute('width')).toBe('100mm');
    expect(svg.querySelector('text')?.textContent).toBe('Sauna');
    expect(svg.querySelector('path')?.getAttribute('d')).toMatch(/^(?:M\d+ \d+h1v1h-1z)+$/);
  });

  it('shows markup in a name as text, and cuts a long name between characters', () => {
    expect(parsed('<script>a&b</script>').querySelector('text')?.textContent).toBe('<script>a&b</script>');
    expect(parsed('👩‍👩‍👧'.repeat(50)).querySelector('text')?.textContent).toBe(`${'👩‍👩‍👧'.repeat(39)}…`);
  });
});
