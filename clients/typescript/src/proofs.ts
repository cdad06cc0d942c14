import type { InclusionProof, VerifierKeys } from './types.ts';

/** The parts of a proof, each of which holds or not. All together prove that the log has the event. */
export interface Verified {
  /** The leaf is the event of the answer, and its hash that of the leaf. */
  readonly leaf: boolean;
  /** The leaf is in the tree whose root the checkpoint names (RFC 9162, section 2.1.3.2). */
  readonly tree: boolean;
  /** A key of the log has signed the checkpoint (C2SP signed-note, Ed25519). */
  readonly note: boolean;
}

/**
 * Checks an inclusion proof with WebCrypto alone.
 *
 * @param keys of the log, from where the caller trusts them: those that the service answers prove no more than that it
 *   agrees with itself
 */
export const verifyProof = async (
  proof: InclusionProof,
  keys: Pick<VerifierKeys, 'keys'>,
): Promise<Verified> => {
  const hash = await sha256(Uint8Array.of(0), encode(proof.leaf));
  return {
    leaf: toBase64(hash) === proof.leaf_hash && (await isLeafOf(proof)),
    tree: await isInTree(proof, hash),
    note: (await isSigned(proof.checkpoint.note, keys)) && namesRoot(proof.checkpoint),
  };
};

const isLeafOf = async ({ leaf, event, hidden = {} }: InclusionProof): Promise<boolean> => {
  if (event === undefined) return true;
  const { data, data_hash: dataHash, hidden: hashes = {}, ...rest } = JSON.parse(leaf) as Leaf;
  const open = Object.fromEntries(Object.entries(event.data).filter(([name]) => hidden[name] === undefined));
  for (const [name, secret] of Object.entries(hidden)) {
    const told =
      'hash' in secret
        ? secret.hash
        : toBase64(await sha256(fromBase64(secret.salt), encode(canonical(event.data[name]))));
    if (told !== hashes[name]) return false;
  }
  const { id, stream, revision, type, metadata } = event;
  if (canonical(rest) !== canonical({ id, stream, revision, type, metadata })) return false;
  return dataHash === undefined
    ? canonical(data) === canonical(open)
    : dataHash === toBase64(await sha256(encode(canonical(open))));
};

interface Leaf {
  readonly data?: unknown;
  readonly data_hash?: string;
  readonly hidden?: Readonly<Record<string, string>>;
}

const isInTree = async (
  { index, hashes, checkpoint }: InclusionProof,
  leaf: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  if (index >= checkpoint.size) return false;
  let [at, last, hash] = [index, checkpoint.size - 1, leaf];
  for (const encoded of hashes) {
    const sibling = fromBase64(encoded);
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = await sha256(Uint8Array.of(1), sibling, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    } else hash = await sha256(Uint8Array.of(1), hash, sibling);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && toBase64(hash) === checkpoint.root_hash;
};

const half = (n: number): number => Math.floor(n / 2);

/** The note tells the same tree as the fields beside it. */
const namesRoot = ({ note, size, root_hash: root }: InclusionProof['checkpoint']): boolean => {
  const [, signedSize, signedRoot] = note.split('\n');
  return signedSize === String(size) && signedRoot === root;
};

const isSigned = async (note: string, { keys }: Pick<VerifierKeys, 'keys'>): Promise<boolean> => {
  const end = note.indexOf('\n\n') + 1;
  const text = encode(note.slice(0, end));
  const signatures = [...note.slice(end).matchAll(/^— (\S+) (\S+)$/gm)];
  for (const { key } of keys) {
    const [name, id, encoded = ''] = key.split('+', 2).concat(key.split('+').slice(2).join('+'));
    const [algorithm, ...bytes] = fromBase64(encoded);
    if (algorithm !== 1) continue;
    const publicKey = await crypto.subtle.importKey('raw', Uint8Array.from(bytes), 'Ed25519', false, [
      'verify',
    ]);
    for (const [, by, signature = ''] of signatures) {
      const signed = fromBase64(signature);
      const hint = Array.from(signed.slice(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('');
      if (by !== name || hint !== id) continue;
      if (await crypto.subtle.verify('Ed25519', publicKey, signed.slice(4), text)) return true;
    }
  }
  return false;
};

/** JSON of RFC 8785: the platform's own serialisation of numbers and strings, with sorted members. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`);
  return `{${members.join(',')}}`;
};

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const sha256 = async (...parts: readonly Uint8Array<ArrayBuffer>[]): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', await new Blob([...parts]).arrayBuffer()));

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
