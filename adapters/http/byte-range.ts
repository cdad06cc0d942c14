import type { ByteRange } from '../../application/ports/file-store.ts';

/**
 * The range that a `Range` header asks for (RFC 9110, section 14). `whole`: there is none, or it is one that a server
 * may ignore (another unit, malformed, several ranges).
 */
export const rangeOf = (
  header: string | undefined,
  size: number,
): Required<ByteRange> | 'whole' | 'unsatisfiable' => {
  const match = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '');
  if (match === null) return 'whole';
  const [, from = '', to = ''] = match;
  if (from === '') {
    if (to === '') return 'whole';
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
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
