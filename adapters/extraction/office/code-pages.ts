/** Where the Encoding Standard has another name than `windows-` and the number. */
const LABELS: ReadonlyMap<number, string> = new Map([
  [866, 'ibm866'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [1_200, 'utf-16le'],
  [1_201, 'utf-16be'],
  [10_000, 'macintosh'],
  [10_007, 'x-mac-cyrillic'],
  [20_866, 'koi8-r'],
  [20_932, 'euc-jp'],
  [20_936, 'gbk'],
  [21_866, 'koi8-u'],
  [38_598, 'iso-8859-8-i'],
  [50_220, 'iso-2022-jp'],
  [51_932, 'euc-jp'],
  [51_936, 'gbk'],
  [51_949, 'euc-kr'],
  [54_936, 'gb18030'],
  [65_001, 'utf-8'],
  // As BIFF writes two of them ([MS-XLS] 2.4.52).
  [0x8000, 'macintosh'],
  [0x8001, 'windows-1252'],
]);

/** A decoder of a code page of Windows; that of Western Europe for those that are not known. */
export const codePageDecoder = (codePage: number): { decode(bytes: Uint8Array): string } => {
  const isLatin = codePage > 28_590 && codePage < 28_606;
  const label = LABELS.get(codePage) ?? (isLatin ? `iso-8859-${codePage - 28_590}` : `windows-${codePage}`);
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder('windows-1252');
  }
};

/** By the whole number of a language where it is written in two scripts, else by its lower ten bits ([MS-LCID] 2.2). */
const LANGUAGES: ReadonlyMap<number, number> = new Map([
  ...[0x0404, 0x0c04, 0x1404].map((language) => [language, 950] as const),
  [0x0c1a, 1_251],
  [0x1c1a, 1_251],
  [0x01, 1_256],
  [0x02, 1_251],
  [0x04, 936],
  [0x05, 1_250],
  [0x08, 1_253],
  [0x0d, 1_255],
  [0x0e, 1_250],
  [0x11, 932],
  [0x12, 949],
  [0x15, 1_250],
  [0x18, 1_250],
  [0x19, 1_251],
  [0x1a, 1_250],
  [0x1b, 1_250],
  [0x1c, 1_250],
  [0x1e, 874],
  [0x1f, 1_254],
  [0x20, 1_256],
  [0x22, 1_251],
  [0x23, 1_251],
  [0x24, 1_250],
  [0x25, 1_257],
  [0x26, 1_257],
  [0x27, 1_257],
  [0x29, 1_256],
  [0x2a, 1_258],
  [0x2f, 1_251],
]);

/** The code page of Windows in that language: of Western Europe where no other is known. */
export const codePageOfLanguage = (language: number): number =>
  LANGUAGES.get(language) ?? LANGUAGES.get(language & 0x3ff) ?? 1_252;
