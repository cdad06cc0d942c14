/**
 * Order of Unicode code points, which is also the order of the UTF-8 bytes (`COLLATE "C"`). JavaScript's own `<`
 * compares UTF-16 units and puts astral characters before U+E000 to U+FFFF.
 */
export const compareText = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  let i = 0;
  while (a.charCodeAt(i) === b.charCodeAt(i)) i += 1;
  if (i === length) return a.length - b.length;
  return rank(a.charCodeAt(i)) - rank(b.charCodeAt(i));
};

/** A surrogate begins or ends a character above U+FFFF: it sorts behind every unit that is a character itself. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
