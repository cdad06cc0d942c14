import type { Hash } from './ports/identity.ts';

/** A stable id from names: the same names always give the same UUID (version 8, RFC 9562 §5.8, over SHA-256). */
export const derivedId = (hash: Hash, kind: string, ...names: readonly string[]): string =>
  uuidFromHash(hash.sha256(JSON.stringify([kind, ...names])));

/** Formats the first 128 bits of a hex digest as a UUID of version 8. */
export const uuidFromHash = (hex: string): string => {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
  ];
  return [...parts, hex.slice(20, 32)].join('-');
};
