/** The code page of a font's character set ([MS-WMF] 2.1.1.5); null for those that say nothing of it. */
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
