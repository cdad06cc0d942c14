import bidiFactory from 'bidi-js';
import { afterAll, describe, expect, it } from 'vitest';
import { createReading } from './corpus/reading.ts';
import { glyphPdf, type PlacedGlyph } from './pdf-files.ts';

const reading = createReading();
afterAll(() => reading.remove());

const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** What a reader sees of a line, from left to right, as the standard has it. */
const seen = (text: string, base: 'ltr' | 'rtl'): string[] => [
  ...bidi.getReorderedString(text, bidi.getEmbeddingLevels(text, base)),
];
const placed = (texts: readonly string[], y = 700): PlacedGlyph[] => {
  let x = 72;
  return texts.map((text) => {
    const isMark = /^\p{M}+$/u.test(text);
    const glyph = { text, x, y, ...(isMark && { width: 0 }) };
    if (!isMark) x += 5;
    return glyph;
  });
};
const textOf = async (glyphs: readonly PlacedGlyph[]): Promise<string> => {
  const units = await reading.units(glyphPdf(glyphs), { fileName: 'a.pdf' });
  return units.map(([, , text]) => text).join('\n');
};

const ARABIC = [
  'السلام عليكم ورحمة الله',
  'في عام 2024 كان الأول',
  'استخدم برنامج Windows 11 الإصدار 22H2 الآن',
  'السعر 12.50 دولار (خصم 10%)',
  'العدد ١٢٣ والنسبة ٤٥٪',
  'راجع https://example.com/a?b=c لمزيد من المعلومات',
];
const HEBREW = [
  'בשנת 2024 הותקן Windows 11 במחשב',
  'המחיר 12.50 שקל (הנחה 10%)',
  'טלפון: 03-1234567',
  'הקובץ /etc/app.conf של השרת',
  'גרסה 2.4.1 של PostgreSQL 16 (64 ביט)',
];

describe('text from right to left in a PDF', () => {
  it.each([...ARABIC, ...HEBREW])('is read in the order of reading: %s', async (text) => {
    const glyphs = placed(seen(text, 'rtl'));
    expect(await textOf(glyphs)).toBe(text);
    // Some programs paint from the right.
    expect(await textOf(glyphs.toReversed())).toBe(text);
  });

  it.each(['English text with السلام inside it.', 'The word שלום (peace), twice: שלום and שלום עולם.'])(
    'keeps its place in a line from the left: %s',
    async (text) => expect(await textOf(placed(seen(text, 'ltr')))).toBe(text),
  );

  it('has the letters of a ligature in order, however the font names them', async () => {
    const glyphs = placed(seen('سﻻم ﻻ', 'rtl'));
    expect(await textOf(glyphs)).toBe('سلام لا');
    expect(await textOf(glyphs.map((one) => ({ ...one, text: one.text.replace('ﻻ', 'لا') })))).toBe('سلام لا');
    expect(await textOf(placed(['דיב', 'לום']))).toBe('לוםדיב');
  });

  it('has plain letters, without the strokes that widen a word', async () =>
    expect(await textOf(placed([...'ﻡﻼـــﺴﻟﺍ']))).toBe('السلام'));

  it.each(['בְּרֵאשִׁית בָּרָא', 'بِسْمِ اللَّهِ'])('keeps the marks of vowels at their letters: %s', async (text) => {
    const glyphs = placed([...text].toReversed());
    expect(await textOf(glyphs)).toBe(text.normalize('NFC'));
  });

  it('takes a bracket as it is seen, and as it is meant', async () => {
    expect(await textOf(placed([...'(10% החנה) םלוע']))).toBe('עולם (הנחה 10%)');
    expect(await textOf(placed([...')10% החנה( םלוע']))).toBe('עולם (הנחה 10%)');
  });

  it('keeps lines and gaps between words that are painted without spaces', async () => {
    const word = [...'םולש'].map((text, index) => ({ text, x: 200 + 5 * index, y: 700 }));
    const next = [...'םלוע'].map((text, index) => ({ text, x: 176 + 5 * index, y: 700 }));
    const below = [...'קוספ'].map((text, index) => ({ text, x: 200 + 5 * index, y: 650 }));
    expect(await textOf([...word, ...next, ...below])).toBe('שלום עולם\n\nפסוק');
  });
});
