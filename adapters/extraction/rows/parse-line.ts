/** A number as it is written, which JSON.stringify writes in the same way (ECMA-262, JSON.rawJSON). */
export interface WrittenNumber {
  readonly rawJSON: string;
}

/** Of Node 22 and later; the compiler's library does not know it yet. */
interface JsonWithSources {
  parse(text: string, revive: Revive): unknown;
  rawJSON(text: string): WrittenNumber;
  isRawJSON(value: unknown): value is WrittenNumber;
}
type Revive = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

const json = JSON as unknown as JsonWithSources;

export const isWrittenNumber = (value: unknown): value is WrittenNumber => json.isRawJSON(value);

/** Numbers of more digits than a double keeps, or with an exponent, which may lie beyond its range. */
const MAY_BE_ROUNDED = /[\d.]{16}|\d[eE]/;
const KEPT_DIGITS = 15;

/**
 * A value in JSON, whose numbers stay as they are written where a double would round them.
 *
 * @throws {SyntaxError}, and {RangeError} where it is nested too deep
 */
export const parseLine = (line: string): unknown =>
  MAY_BE_ROUNDED.test(line)
    ? json.parse(line, (_, value, { source }) =>
        typeof value === 'number' && source !== undefined && isRounded(value, source)
          ? json.rawJSON(source)
          : value,
      )
    : JSON.parse(line);

const isRounded = (value: number, source: string): boolean =>
  !Number.isFinite(value) || (digitsOf(source) > KEPT_DIGITS && String(value) !== source);

/** Without an exponent, the sign and the zeros that lead. */
const digitsOf = (source: string): number =>
  source
    .replace(/[eE].*/s, '')
    .replaceAll(/[-.]/g, '')
    .replace(/^0+/, '').length;
