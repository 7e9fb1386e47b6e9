import encodeQR from 'qr';
import decodeQR from 'qr/decode.js';
import { describe, expect, it } from 'vitest';
import { epcText } from './epc.ts';

const transfer = {
  name: 'mira',
  iban: 'DE89370400440532013000',
  amount: 12.3,
  reference: 'HourShare ana 2026-09 - 2026-11',
};

describe('the text of an EPC code', () => {
  it('has the lines of EPC069-12, version 002', () => {
    expect(epcText(transfer).split('\n')).toEqual([
      'BCD',
      '002',
      '1',
      'SCT',
      '',
      'mira',
      'DE89370400440532013000',
      'EUR12.30',
      '',
      '',
      'HourShare ana 2026-09 - 2026-11',
    ]);
  });

  it('has only characters and lengths that SEPA payments take', () => {
    const text = epcText({ ...transfer, name: 'José_Müller', reference: `a\nb${'x'.repeat(200)}` }).split('\n');
    expect([text[5], text[10]?.slice(0, 5), text[10]?.length]).toEqual(['Jose Muller', 'a bxx', 140]);
  });

  it('fits a code that the standard allows, and reads back as it was', () => {
    const longest = { ...transfer, name: 'x'.repeat(70), amount: 999_999.99, reference: 'y'.repeat(140) };
    for (const each of [transfer, longest]) {
      const modules = encodeQR(epcText(each), 'raw', { ecc: 'medium', encoding: 'byte', border: 4 });
      // At most version 13, which has 69 modules.
      expect(modules.length - 8).toBeLessThanOrEqual(69);
      const scale = 4;
      const size = modules.length * scale;
      const data = new Uint8Array(size * size * 4).fill(255);
      for (let y = 0; y < size; y++)
        for (let x = 0; x < size; x++)
          if (modules[Math.floor(y / scale)]?.[Math.floor(x / scale)])
            data.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3);
      expect(decodeQR({ width: size, height: size, data })).toBe(epcText(each));
    }
  });
});
