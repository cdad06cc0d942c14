import { canonicalJson } from './canonical-json.ts';
import type { Sha256 } from './merkle.ts';

/** An event as it is stored, without its place in the log and the time of its arrival: another store has others. */
export interface StoredEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: bigint;
  readonly type: string;
  readonly data: { readonly [name: string]: unknown };
  readonly metadata: { readonly [name: string]: unknown };
}

/**
 * The fields of `data` that readers of the log may not see, by the category of the stream: `never`, or where a redaction
 * policy says so. They enter the leaf as a salted hash, so that an event without them can be checked too.
 *
 * A leaf never changes: a field may be added only for events that no release has written.
 */
const HIDEABLE: { readonly [category: string]: { readonly [field: string]: 'never' | 'by policy' } } = {
  apiKey: { key_hash: 'never' },
  source: { title: 'by policy' },
};

type InStream = Pick<StoredEvent, 'stream' | 'data'>;
const hideable = ({ stream }: Pick<InStream, 'stream'>) =>
  HIDEABLE[stream.slice(0, Math.max(0, stream.indexOf('-')))] ?? {};

/** The hideable fields that an event has. */
export const hideableFields = ({ stream, data }: InStream): readonly string[] =>
  Object.keys(hideable({ stream })).filter((field) => field in data);

/** Whether no reader of the log may see this hideable field. */
export const isNeverShown = (event: Pick<InStream, 'stream'>, field: string): boolean =>
  hideable(event)[field] === 'never';

/** The salt of a field of an event: 32 bytes that nobody can guess who does not see the field. */
export type SaltOf = (eventId: string, field: string) => Uint8Array;

/** The hash in the leaf for a hideable field, in base64: of the salt, and of the canonical form of the value. */
export const saltedHash = (sha256: Sha256, salt: Uint8Array, value: unknown): string =>
  Buffer.from(sha256(Buffer.concat([salt, Buffer.from(canonicalJson(value))]))).toString('base64');

/** Entry bundles give the length of a leaf 16 bits. */
const MAX_LEAF_BYTES = 0xffff;

/**
 * The leaf of an event: the canonical form of `{id, stream, revision, type, data, metadata}`, where `revision` is a
 * number. Hideable fields are not in `data`; `hidden` has their salted hashes, where there are any. If the form is longer
 * than an entry may be, it has `data_hash` instead of `data`: the SHA-256 of its canonical form, in base64.
 */
export const leafOf = (sha256: Sha256, saltOf: SaltOf, event: StoredEvent): string => {
  const { id, stream, type, metadata } = event;
  const fields = hideableFields(event);
  const revision = Number(event.revision);
  const hidden: { [field: string]: string } = {};
  let { data } = event;
  for (const field of fields) {
    hidden[field] = saltedHash(sha256, saltOf(id, field), event.data[field]);
    const { [field]: _, ...shown } = data;
    data = shown;
  }
  const leaf = canonicalJson(
    fields.length === 0
      ? { data, id, metadata, revision, stream, type }
      : { data, hidden, id, metadata, revision, stream, type },
  );
  // No text is shorter in UTF-8 than in UTF-16 units, or more than three times as long.
  if (leaf.length * 3 <= MAX_LEAF_BYTES || Buffer.byteLength(leaf) <= MAX_LEAF_BYTES) return leaf;
  const hash = Buffer.from(sha256(canonicalJson(data))).toString('base64');
  const shown = { id, stream, revision, type, metadata, data_hash: hash };
  return canonicalJson(fields.length === 0 ? shown : { ...shown, hidden });
};
