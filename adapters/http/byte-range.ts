import type { ByteRange } from '../../application/ports/file-store.ts';

type Span = Required<ByteRange>;

/** Unit names are compared without regard to case, and lists may hold empty elements (RFC 9110, section 5.6.1). */
const RANGES = /^bytes=(.*)$/i;
const RANGE = /^(\d*)-(\d*)$/;

/**
 * The range that a `Range` header asks for (RFC 9110, section 14). `whole`: there is none, or it is one that a server
 * may ignore (another unit, malformed, several ranges that the file has). `unsatisfiable`: the file has none of them,
 * however large the numbers are.
 */
export const rangeOf = (header: string | undefined, size: number): Span | 'whole' | 'unsatisfiable' => {
  const [, list] = RANGES.exec(header ?? '') ?? [];
  if (list === undefined) return 'whole';
  const parts = list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const spans = parts.map((part) => spanOf(part, size));
  if (spans.length === 0 || spans.includes('whole')) return 'whole';
  const [first, ...others] = spans.filter((span) => span !== 'unsatisfiable');
  if (first === undefined) return 'unsatisfiable';
  return others.length === 0 ? first : 'whole';
};

/** Numbers beyond 2^53 lose their last digits, which no file is long enough to miss. */
const spanOf = (part: string, size: number): Span | 'whole' | 'unsatisfiable' => {
  const [, from = '', to = ''] = RANGE.exec(part) ?? [];
  if (from === '') {
    if (to === '') return 'whole';
    if (Number(to) === 0) return 'unsatisfiable';
    // The end of an empty file is all of it, and no Content-Range can say so.
    return size === 0 ? 'whole' : { start: Math.max(0, size - Number(to)), end: size - 1 };
  }
  const start = Number(from);
  if (to !== '' && Number(to) < start) return 'whole';
  if (start >= size) return 'unsatisfiable';
  return { start, end: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
};

/** Whether an `If-None-Match` names the tag (RFC 9110, section 13.1.2: weak comparison). */
export const matchesTag = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
};
