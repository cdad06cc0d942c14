/** Letters that stand for digits where two persons would have the same code. */
const DIGIT = '[\\dLMNP-V]';
const FORM = new RegExp(`^[A-Z]{6}${DIGIT}{2}[A-EHLMPRST]${DIGIT}{2}[A-Z]${DIGIT}{3}[A-Z]$`);
/** What letters A to Z, and digits as A to J, count in odd places; in even ones they count 0 to 25. */
const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/** Italy, codice fiscale (D.M. 12 March 1974): names, date and place of birth, and a check letter, modulo 26. */
export const isCodiceFiscale = (written: string): boolean => {
  if (!FORM.test(written)) return false;
  let sum = 0;
  for (let i = 0; i < 15; i += 1) {
    const value = Number.parseInt(written.charAt(i), 36);
    const place = value > 9 ? value - 10 : value;
    sum += i % 2 === 0 ? (ODD[place] ?? 0) : place;
  }
  return written.charCodeAt(15) - 65 === sum % 26;
};
