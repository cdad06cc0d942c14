/** Characters of fonts that draw others in their places (Adobe Symbol and Wingdings encodings), from the code on that begins a line. */
const SYMBOL: readonly (readonly [number, string])[] = [
  [0x20, ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼'],
  [0xa0, '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…|—↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑'],
  [0xf1, '⟩∫'],
];
const WINGDINGS: readonly (readonly [number, string])[] = [
  [0x6c, '●'],
  [0x6e, '■□'],
  [0xa7, '▪'],
  [0xa8, '◻'],
  [0xdf, '←→↑↓'],
  [0xf0, '⇨'],
  [0xfb, '✗✓☒☑'],
];

const tableOf = (lines: readonly (readonly [number, string])[]): ReadonlyMap<number, string> =>
  new Map(lines.flatMap(([from, signs]) => [...signs].map((sign, at) => [from + at, sign] as const)));

const FONTS: ReadonlyMap<string, ReadonlyMap<number, string>> = new Map([
  ['symbol', tableOf(SYMBOL)],
  ['wingdings', tableOf(WINGDINGS)],
]);

/** Whether a font draws other characters than those that stand in the text. */
export const isSymbolFont = (font: string | undefined): boolean => FONTS.has(font?.toLowerCase() ?? '');

/** Where producers put the characters of such a font, beside the codes themselves. */
const PRIVATE = 0xf000;

/** What a text in a symbol font shows; pictures without a sign of their own are left out. */
export const symbolText = (text: string, font: string): string => {
  const table = FONTS.get(font.toLowerCase());
  if (table === undefined) return text;
  return [...text]
    .map((sign) => {
      const code = sign.codePointAt(0)!;
      const isPrivate = code >= PRIVATE && code <= PRIVATE + 0xff;
      if (code > 0xff && !isPrivate) return sign;
      return table.get(isPrivate ? code - PRIVATE : code) ?? (/\s/.test(sign) ? sign : '');
    })
    .join('');
};
