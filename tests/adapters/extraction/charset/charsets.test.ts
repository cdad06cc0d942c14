import { afterAll, describe, expect, it } from 'vitest';
import { createReading } from '../corpus/reading.ts';

const reading = createReading();
afterAll(() => reading.remove());

/** The bytes of a text in a charset of one byte for each character. */
const written = (text: string, charset: string): Uint8Array => {
  const byteOf = new Map<string, number>();
  for (let byte = 255; byte >= 0; byte -= 1)
    byteOf.set(new TextDecoder(charset).decode(Uint8Array.of(byte)), byte);
  return Uint8Array.from(text, (letter) => byteOf.get(letter)!);
};

describe('a short text without a declared charset', () => {
  it.each([
    ['windows-1250', 'Příliš žluťoučký kůň úpěl ďábelské ódy'],
    ['iso-8859-2', 'Jiří; Šťastný; Třebíč'],
    ['windows-1250', 'Őrsi Géza; Győr; Hódmezővásárhely'],
    ['windows-1250', 'Żaneta; Wrocław; Świętosława'],
    ['windows-1250', 'Željko Čović; Đurđa; Požega'],
    ['windows-1251', 'Юрий; Москва'],
    ['koi8-r', 'Юрий; Москва; Анна; Пермь'],
    ['ibm866', 'Юрий; Москва; Анна; Пермь'],
    ['iso-8859-5', 'Юрий; Москва; Анна; Пермь'],
    ['windows-1252', 'Müller; Köln'],
    ['windows-1252', 'It’s “quoted” – price €5'],
    ['windows-1252', 'João; São Paulo; Guimarães'],
    ['windows-1253', 'Γιώργος; Αθήνα'],
    ['windows-1254', 'İbrahim Yıldız; Eskişehir'],
    ['windows-1255', 'דוד; ירושלים'],
    ['windows-1256', 'محمد; القاهرة'],
    ['windows-1257', 'Jānis Bērziņš; Rīga; Ņikita'],
    ['windows-1257', 'Žydrūnas; Šiauliai; Giedrė'],
    ['windows-874', 'สมชาย; กรุงเทพ'],
  ])('in %s is read with its letters: %s', async (charset, text) => {
    expect(await reading.texts(written(text, charset), { fileName: 'a.txt' })).toEqual([text]);
  });

  it.each([
    'The price is £5 for all of them.',
    'Tea £2.50, coffee 3 £, and ¥100 or ¢50',
    'Volume 12 m³, 10 µm, 1½ cups, 3×4 ± 1',
    'café for £3, at 20°C',
    'Müller, for £ 3',
  ])('with signs beside numbers is none of another alphabet: %s', async (text) => {
    expect(await reading.texts(written(text, 'windows-1252'), { fileName: 'a.txt' })).toEqual([text]);
  });
});
