import { createRequire } from 'node:module';

interface Formatter {
  readonly SSF: {
    format(format: string | number, value: number, options: { readonly date1904: boolean }): string;
    is_date(format: string): boolean;
    get_table(): Readonly<Record<number, string>>;
  };
}

let loaded: Formatter['SSF'] | undefined;

/** Loaded when the first sheet asks: it is a large module. */
const formatter = (): Formatter['SSF'] => {
  loaded ??= (createRequire(import.meta.url)('@e965/xlsx') as Formatter).SSF;
  return loaded;
};

/** How a cell shows its number. */
export interface NumberFormat {
  /** A built-in number, or a pattern. */
  readonly code: string | number;
  readonly isDate: boolean;
}

export const GENERAL: NumberFormat = { code: 0, isDate: false };

/** @param pattern of the file's own; without one the built-in format of this number */
export const numberFormat = (id: number, pattern: string | undefined): NumberFormat => {
  const code = pattern ?? formatter().get_table()[id];
  if (code === undefined || code === 'General') return GENERAL;
  return { code: pattern ?? id, isDate: code.length < MAX_PATTERN && formatter().is_date(code) };
};

const MAX_PATTERN = 255;

/** The number as a spreadsheet shows it; in its shortest form where its format is not understood. */
export const shownNumber = (value: number, { code }: NumberFormat, date1904: boolean): string => {
  if (code !== 0 && !(typeof code === 'string' && code.length >= MAX_PATTERN)) {
    try {
      return formatter().format(code, value, { date1904 }).trim();
    } catch {
      // A pattern of its own making.
    }
  }
  return plainNumber(value);
};

/** As a spreadsheet keeps it: 15 digits (0.1 + 0.2 is 0.3). */
export const plainNumber = (value: number): string => String(Number(value.toPrecision(15)));

const DAY_MS = 86_400_000;
const DAYS_1900_TO_1970 = 25_569;
const DAYS_1904_TO_1970 = 24_107;

/** Spreadsheets count a 29 February 1900, which there never was; the days before it have the numbers 1 to 59. */
const NO_DAY = 60;

/**
 * A day number as RFC 3339 writes it; null for what is no day, such as a time of day, and beyond the year 9999.
 */
export const isoDate = (value: number, date1904: boolean): string | null => {
  if (!(value >= (date1904 ? 0 : 1))) return null;
  if (!date1904 && Math.floor(value) === NO_DAY) return null;
  const beforeLeapDay = !date1904 && value < NO_DAY ? 1 : 0;
  const days = value + beforeLeapDay - (date1904 ? DAYS_1904_TO_1970 : DAYS_1900_TO_1970);
  const date = new Date(Math.round(days * 86_400) * 1_000);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9_999) return null;
  const text = date.toISOString();
  return date.getTime() % DAY_MS === 0 ? text.slice(0, 10) : `${text.slice(0, 19)}Z`;
};
