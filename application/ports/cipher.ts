/** Authenticated encryption with associated data (AEAD, RFC 5116). */
export interface Cipher {
  /** Fresh and random, of the length that `seal` takes. */
  readonly newKey: () => Uint8Array;
  /**
   * Encrypts under a nonce of its own: the same bytes never give the same result twice. What `belongsTo` names is not
   * in the result, and must be named again to open it.
   */
  readonly seal: (key: Uint8Array, bytes: Uint8Array, belongsTo: readonly string[]) => Uint8Array;
  /** @throws SealBroken when key, bytes or what they belong to are not those that were sealed */
  readonly open: (key: Uint8Array, sealed: Uint8Array, belongsTo: readonly string[]) => Uint8Array;
}

export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** The key of an installation, under which its data keys are kept. */
export interface MasterKey {
  /** Names it, tells nothing of it, and differs for every other key. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The master keys that an installation knows at present. */
export interface MasterKeys {
  /** New data keys are kept under it. */
  readonly current: MasterKey;
  /** Others, under which data keys may still be: before, while and until a rotation has wrapped them anew. */
  readonly previous: readonly MasterKey[];
}
