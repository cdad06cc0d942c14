import type { Sha256 } from './merkle.ts';

/** What a key signs: notes of a log, or checkpoints as a witness (C2SP signed-note, tlog-cosignature). */
const ALGORITHM = { ed25519: 1, cosignature: 4 } as const;
export type Algorithm = keyof typeof ALGORITHM;

/** An Ed25519 key that verifies signatures of `name`. */
export interface VerifierKey {
  readonly name: string;
  readonly algorithm: Algorithm;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** Ed25519 (RFC 8032). */
export interface Ed25519 {
  readonly sign: (message: Uint8Array) => Uint8Array;
  readonly verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;
}

const KEY_BYTES = 32;
const ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
const TIME_BYTES = 8;

/** Names have neither white space nor a plus sign. */
const isName = (name: string): boolean => /^[^\s+]+$/u.test(name);
const bytesOf = (base64: string): Buffer | null => {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? bytes : null;
};

const keyBytes = ({ algorithm, publicKey }: VerifierKey): Uint8Array =>
  Buffer.concat([Buffer.of(ALGORITHM[algorithm]), publicKey]);
const idOf = (sha256: Sha256, key: VerifierKey): Uint8Array =>
  sha256(Buffer.concat([Buffer.from(`${key.name}\n`), keyBytes(key)])).subarray(0, ID_BYTES);

/** A verifier key as tools take it: `<name>+<id>+<key>`. */
export const formatVerifierKey = (sha256: Sha256, key: VerifierKey): string =>
  `${key.name}+${Buffer.from(idOf(sha256, key)).toString('hex')}+${Buffer.from(keyBytes(key)).toString('base64')}`;

/** Null for a text that is no verifier key of Ed25519. */
export const parseVerifierKey = (sha256: Sha256, text: string): VerifierKey | null => {
  const [, name = '', , encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/u.exec(text) ?? [];
  const bytes = bytesOf(encoded);
  const algorithm = (['ed25519', 'cosignature'] as const).find((one) => ALGORITHM[one] === bytes?.[0]);
  if (bytes?.length !== 1 + KEY_BYTES || algorithm === undefined || !isName(name)) return null;
  const key = { name, algorithm, publicKey: bytes.subarray(1) };
  return formatVerifierKey(sha256, key) === text ? key : null;
};

/** A line of signatures: `— <name> <id and signature>`, without its end. */
const signatureLine = (sha256: Sha256, key: VerifierKey, signature: Uint8Array): string =>
  `— ${key.name} ${Buffer.concat([idOf(sha256, key), signature]).toString('base64')}`;

/** Signs a text, which ends with a line feed, as a signed note. */
export const signNote = (sha256: Sha256, sign: Ed25519['sign'], key: VerifierKey, text: string): string =>
  `${text}\n${signatureLine(sha256, key, sign(Buffer.from(text)))}\n`;

/** A note: its text with the line feed at its end, and its lines of signatures. */
export interface Note {
  readonly text: string;
  readonly signatures: readonly string[];
}

/** Null for what is no signed note. */
export const parseNote = (note: string): Note | null => {
  const at = note.lastIndexOf('\n\n');
  const lines = note.slice(at + 2).split('\n');
  if (at < 0 || lines.pop() !== '' || lines.length === 0) return null;
  return lines.every((line) => /^— [^\s+]+ \S+$/u.test(line))
    ? { text: note.slice(0, at + 1), signatures: lines }
    : null;
};

/**
 * The line with which this key signed the text of a note, and for a cosignature its time in Unix seconds; null: none of
 * the lines is a valid one of it.
 */
export const verifiedBy = (
  sha256: Sha256,
  verify: Ed25519['verify'],
  key: VerifierKey,
  { text, signatures }: Note,
): { readonly line: string; readonly time: number | null } | null => {
  const id = Buffer.from(idOf(sha256, key));
  const hasTime = key.algorithm === 'cosignature';
  for (const line of signatures) {
    const [, name, encoded = ''] = line.split(' ');
    const bytes = bytesOf(encoded);
    const length = ID_BYTES + (hasTime ? TIME_BYTES : 0) + SIGNATURE_BYTES;
    if (name !== key.name || bytes?.length !== length || !bytes.subarray(0, ID_BYTES).equals(id)) continue;
    const time = hasTime ? Number(bytes.readBigUInt64BE(ID_BYTES)) : null;
    const message = hasTime ? `cosignature/v1\ntime ${time}\n${text}` : text;
    if (verify(key.publicKey, Buffer.from(message), bytes.subarray(-SIGNATURE_BYTES))) return { line, time };
  }
  return null;
};

/** A note with more lines of signatures. */
export const noteWith = (note: string, signatures: readonly string[]): string =>
  note + signatures.map((line) => `${line}\n`).join('');
