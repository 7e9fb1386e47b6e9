import encodeQR from 'qr';
import decodeQR from 'qr/decode.js';
import { describe, expect, it } from 'vitest';
import { crc16, epcText, pixText, swissText } from './payment-codes.ts';

const transfer = {
  name: 'mira',
  town: null,
  account: 'DE89370400440532013000',
  amount: 12.3,
  reference: 'HourShare ana 2026-09 - 2026-11',
};

const SCALE = 4;

/** A code as the app draws it, with `cross` of its width blackened in the middle. */
function drawn(text: string, cross = 0) {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: 4 });
  const size = modules.length * SCALE;
  const half = ((modules.length - 8) * SCALE * cross) / 2;
  const data = new Uint8Array(size * size * 4).fill(255);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++)
      if (
        Math.max(Math.abs(x - size / 2), Math.abs(y - size / 2)) < half ||
        modules[Math.floor(y / SCALE)]?.[Math.floor(x / SCALE)]
      )
        data.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3);
  return { modules: modules.length - 8, image: { width: size, height: size, data } };
}

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
      // At most version 13.
      expect(drawn(epcText(each)).modules).toBeLessThanOrEqual(69);
      expect(decodeQR(drawn(epcText(each)).image)).toBe(epcText(each));
    }
  });
});

const swiss = { ...transfer, name: 'Mira Müller', account: 'CH9300762011623852957', town: '8001 Zürich' };

describe('the text of a Swiss QR code', () => {
  it('has the lines of the QR-bill, version 2.3', () => {
    expect(swissText(swiss)?.split('\n')).toEqual([
      'SPC',
      '0200',
      '1',
      'CH9300762011623852957',
      'S',
      'Mira Muller',
      '',
      '',
      '8001',
      'Zurich',
      'CH',
      '',
      '',
      '',
      '',
      '',
      '',
      '',
      '12.30',
      'CHF',
      '',
      '',
      '',
      '',
      '',
      '',
      '',
      'NON',
      '',
      'HourShare ana 2026-09 - 2026-11',
      'EPD',
    ]);
  });

  it('reads back as it was, also under the cross', () => {
    const text = swissText(swiss) ?? '';
    expect(decodeQR(drawn(text, 7 / 46).image)).toBe(text);
  });

  it('is none without a town, elsewhere, and for an IBAN of numbered invoices', () => {
    expect(swissText({ ...swiss, town: null })).toBeNull();
    expect(swissText({ ...swiss, town: '8001 \u30c1\u30e5\u30fc\u30ea\u30c3\u30d2' })).toBeNull();
    expect(swissText({ ...swiss, account: 'DE89370400440532013000' })).toBeNull();
    expect(swissText({ ...swiss, account: 'CH4431999123000889012' })).toBeNull();
  });
});

describe('the text of a BR Code', () => {
  it('ends with the checksum of the example in the manual', () => {
    const example =
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304';
    expect(crc16(example)).toBe('1D3D');
    expect(crc16('123456789')).toBe('29B1');
  });

  it('has its fields with their lengths', () => {
    const pix = { ...transfer, name: 'José da Silva', account: '12345678909', town: 'São Paulo' };
    const text = pixText(pix);
    expect(text.slice(0, -4)).toBe(
      '000201' +
        '26680014br.gov.bcb.pix0111123456789090231HourShare ana 2026-09 - 2026-11' +
        '520400005303986540512.305802BR5913Jose da Silva6009Sao Paulo62070503***6304',
    );
    expect(text.slice(-4)).toBe(crc16(text.slice(0, -4)));
    expect(decodeQR(drawn(text).image)).toBe(text);
    // The longest key leaves no room for a note.
    const long = pixText({ ...pix, account: `${'x'.repeat(65)}@example.org`, town: null });
    expect(long).toMatch(/^00020126990014br\.gov\.bcb\.pix0177x{65}@example\.org5204/);
    expect(long).toContain('6006BRASIL');
  });
});
