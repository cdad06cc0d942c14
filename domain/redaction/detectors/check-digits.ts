/** From the right, every second digit doubled, the sum of all digits is a multiple of ten (ISO/IEC 7812-1, Luhn). */
export const hasLuhnDigit = (digits: string): boolean => {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = 2 * digit;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};

/** ISO/IEC 7064, MOD 11,10. */
export const hasMod1110Digit = (digits: string): boolean => {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
};

/** ISO/IEC 7064, MOD 97-10, over digits and letters, which count 10 to 35. */
export const mod97 = (written: string): number => {
  let rest = 0;
  for (const char of written) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
};

/** The digits, each multiplied by its weight, added up. */
export const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);
