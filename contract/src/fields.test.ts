import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { name, text } from './fields.ts';
import { english, issue, readIssue, SENTENCES } from './sentences.ts';

const INVISIBLE = SENTENCES.name_characters;

const Name = name({ required: issue('name_required'), characters: issue('name_characters') });
const Description = text({ notText: 'Description must be text', characters: issue('description_characters') });

const sentences = (schema: typeof Name, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => english(readIssue(message))) ?? [];

const readable: [what: string, name: string][] = [
  ['Persian with a half-space', 'نمی\u200Cخواهم'],
  ['a Persian digit before a half-space', '۵\u200Cتایی'],
  ['a Hindi half form', 'क्\u200Dष'],
  ['a Hindi half form at the end', 'र्\u200D'],
  ['a Hindi conjunct kept apart', 'क्\u200Cष'],
  ['Sinhala', 'ශ්\u200Dරී ලංකා'],
  ['a Malayalam chillu as it was typed before Unicode 5.1', 'അവന്\u200D പോയി'],
  ['Bengali ya-phalaa', 'র\u200D্যাম'],
  ['Mongolian with a vowel separator and a variant', 'ᠪᠢᠴᠢᠭ\u180Eᠠ ᠰ\u180B'],
  ['Arabic', 'الجزيرة'],
  ['Arabic with marks and a visible year sign', 'مُحَمَّد \u0601٢٠٢٦'],
  ['Hebrew with points', 'שָׁלוֹם'],
  ['Hebrew beside English', 'נטפליקס Premium'],
  ['Thai', 'ภาษาไทย'],
  ['decomposed Hangul', '\u1112\u1161\u11AB'],
  ['a variant of a Chinese character', '葛\u{E0100}城'],
  ['combining accents', 'Ze\u0301\u0327'],
  ['a non-breaking space', 'Disney\u00A0+'],
  ['a family', '👨\u200D👩\u200D👧\u200D👦'],
  ['a couple of two skin tones', '👩🏽\u200D❤\uFE0F\u200D💋\u200D👨🏻'],
  ['a detective of a skin tone', '🕵🏽\u200D♀\uFE0F'],
  ['an eye in a speech bubble', '👁\uFE0F\u200D🗨\uFE0F'],
  ['the rainbow flag', '🏳\uFE0F\u200D🌈'],
  ['the pirate flag', '🏴\u200D☠\uFE0F'],
  ['the flag of Scotland', '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
  ['a country’s flag', '🇺🇸'],
  ['a keycap', '5\uFE0F\u20E3'],
  ['a heart as emoji, and one as text', '❤\uFE0F ❤\uFE0E'],
  ['a sign as emoji', 'TV™\uFE0F'],
  ['signs and brackets', '<b>&amp;"\'`${x}</b> = #1'],
];

const deceptive: [what: string, name: string][] = [
  ['a zero-width space', 'Net\u200Bflix'],
  ['a zero-width space at the end', 'Netflix\u200B'],
  ['a joiner between Latin letters', 'Net\u200Dflix'],
  ['a non-joiner between Latin letters', 'Net\u200Cflix'],
  ['a non-joiner at the end of Persian', 'نمی\u200C'],
  ['a non-joiner at the beginning of Persian', '\u200Cنمی'],
  ['two non-joiners in a row', 'نمی\u200C\u200Cخواهم'],
  ['a joiner between an emoji and a letter', '👩\u200Da'],
  ['a joiner behind an emoji', '👩\u200D'],
  ['a word joiner', 'Net\u2060flix'],
  ['a byte order mark', '\uFEFFNetflix'],
  ['a soft hyphen', 'Net\u00ADflix'],
  ['a combining grapheme joiner', 'Net\u034Fflix'],
  ['an override to the left', '\u202Egnp.exe'],
  ['an override to the right', '\u202DNetflix'],
  ['an embedding', '\u202Aabc\u202C'],
  ['an isolate', '\u2066abc\u2069'],
  ['a left-to-right mark', 'abc\u200E'],
  ['a right-to-left mark', 'abc\u200F'],
  ['an Arabic letter mark', 'abc\u061C'],
  ['an invisible multiplication sign', '2\u2062x'],
  ['tags behind a letter', 'a\u{E0067}\u{E0062}\u{E007F}'],
  ['tags behind a flag that do not end', '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}'],
  ['more tags than a flag has', `🏴${'\u{E0061}'.repeat(20)}\u{E007F}`],
  ['a language tag', '\u{E0001}Netflix'],
  ['a selector behind a letter', 'Net\uFE0Fflix'],
  ['a selector behind a digit that is no keycap', '5\uFE0F'],
  ['two selectors', '❤\uFE0F\uFE0F'],
  ['a rare selector behind a letter', 'a\u{E0100}'],
  ['a Mongolian selector behind a Latin letter', 'a\u180B'],
  ['a filler', 'Net\u3164flix'],
  ['a filler of half width', 'Net\uFFA0flix'],
  ['an annotation', 'a\uFFF9b\uFFFB'],
  ['an unassigned code point that is to be invisible', 'a\u{E0FFF}'],
  ['a line break', 'Net\nflix'],
  ['a line separator', 'Net\u2028flix'],
  ['a tab', 'Net\tflix'],
  ['a NUL', 'Net\0flix'],
  ['an escape', 'Net\x1B[31mflix'],
  ['a C1 control', 'Net\u0085flix'],
  ['half of a surrogate pair', 'Net\uD83Dflix'],
];

/** Allowed in text but not in a name: line breaks, and the invisible marks that people type between words. */
const IN_TEXT = /[\n\t\u2028\u00AD\u200E\u200F\u061C]/;

const blank: [what: string, name: string][] = [
  ['nothing', ''],
  ['spaces', ' \t\n '],
  ['a zero-width space', '\u200B'],
  ['overrides', '\u202E\u202C'],
  ['a braille blank', '\u2800'],
  ['fillers', '\u3164\u115F\uFFA0'],
  ['spaces of other widths', '\u2003\u3000\u00A0'],
  ['selectors', '\uFE0F\u{E0100}'],
  ['a byte order mark', '\uFEFF'],
];

describe('a name', () => {
  it.each(readable)('can contain %s', (_, each) => {
    expect(Name.parse(each)).toBe(each);
  });

  it.each(deceptive)("can't contain %s", (_, each) => {
    expect(sentences(Name, each)).toEqual([INVISIBLE]);
  });

  it.each(blank)('is missing when it is only %s', (_, each) => {
    expect(sentences(Name, each)).toEqual(['Name is required']);
  });

  it.each([undefined, null, 5, {}])('is missing when it is %j', (each) => {
    expect(sentences(Name, each)).toEqual(['Name is required']);
  });

  it('is trimmed', () => {
    expect(Name.parse('  Netflix Premium \u3000')).toBe('Netflix Premium');
  });
});

describe('a multi-line text', () => {
  it.each(readable)('can contain %s', (_, each) => {
    expect(Description.parse(`${each}\r\n\t${each}\u2028`)).toBe(`${each}\r\n\t${each}\u2028`);
  });

  it.each(deceptive.filter(([, each]) => IN_TEXT.test(each)))('can contain %s', (_, each) => {
    expect(Description.parse(each)).toBe(each);
  });

  it.each(deceptive.filter(([, each]) => !IN_TEXT.test(each)))("can't contain %s", (_, each) => {
    expect(sentences(Description, `First line\n${each}`)).toEqual([
      "Description can't contain invisible or control characters",
    ]);
  });

  it.each(['', ' ', '\n'])('can be blank: %j', (each) => {
    expect(Description.parse(each)).toBe(each);
  });
});

describe('generated text', () => {
  const invisible = fc.constantFrom(
    ...'200B 200E 200F 202A 202B 202C 202D 202E 2060 2064 2066 2067 2068 2069 61C AD FEFF E0001 3164 0 1B'
      .split(' ')
      .map((code) => String.fromCodePoint(Number.parseInt(code, 16))),
  );
  const anyText = fc.string({ unit: 'grapheme', maxLength: 40 });
  const binary = fc.string({ unit: 'binary', maxLength: 40 });

  it('is not a valid name with an invisible character anywhere in it', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, binary), invisible, fc.oneof(anyText, binary), (before, character, after) => {
        expect(Name.safeParse(`${before}${character}${after}`).success).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('is a valid name when it is visible and not blank', () => {
    const seen = anyText.filter((each) => !/[\p{DI}\p{C}\p{Zl}\p{Zp}\u2800]/u.test(each));
    fc.assert(
      fc.property(seen, (each) => {
        expect(sentences(Name, each)).toEqual(each.trim() === '' ? ['Name is required'] : []);
      }),
      { numRuns: 1000 },
    );
  });

  it('stays a valid name when valid names are joined', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...readable.map(([, each]) => each)), { minLength: 1 }), (names) => {
        expect(sentences(Name, names.join(' '))).toEqual([]);
      }),
    );
  });

  it('is checked in linear time', () => {
    for (const unit of [
      '\u200D',
      'ی\u200C',
      '👩\u200D',
      '🏴\u{E0061}',
      '\u094D\u200D',
      '🏴\u{E0061}\u{E0061}\u{E0061}',
    ])
      expect(typeof Description.safeParse(unit.repeat(20_000)).success).toBe('boolean');
  });
});
