/** Code pages whose name in the Encoding Standard is not `windows-` and the number. */
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
  // Two code pages as BIFF writes them ([MS-XLS] 2.4.52).
  [0x8000, 'macintosh'],
  [0x8001, 'windows-1252'],
]);

/** A decoder of a Windows code page; Western European for unknown ones. */
export const codePageDecoder = (codePage: number): { decode(bytes: Uint8Array): string } => {
  const isLatin = codePage > 28_590 && codePage < 28_606;
  const label = LABELS.get(codePage) ?? (isLatin ? `iso-8859-${codePage - 28_590}` : `windows-${codePage}`);
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder('windows-1252');
  }
};

/** The code page of a font's character set ([MS-WMF] 2.1.1.5); null when the character set implies none. */
export const codePageOfCharset = (charset: number): number | null => CODE_PAGES.get(charset) ?? null;

const CODE_PAGES: ReadonlyMap<number, number> = new Map([
  [128, 932],
  [129, 949],
  [134, 936],
  [136, 950],
  [161, 1_253],
  [162, 1_254],
  [163, 1_258],
  [177, 1_255],
  [178, 1_256],
  [186, 1_257],
  [204, 1_251],
  [222, 874],
  [238, 1_250],
]);
