/**
 * Stores texts that must be erasable. All texts of one owner (such as a conversation) are encrypted with one data key,
 * and the data key is encrypted with the master key of the installation. Destroying the data key makes the texts
 * unreadable in every copy ever made of them (crypto-shredding).
 *
 * The vault knows nothing of events. Write texts before the event that refers to them: `writtenBetween` finds texts
 * that a crash left without an event. Every write is durable when its promise resolves.
 */
export interface Vault {
  /**
   * Creates the data key of an owner unless it has one, and stores texts as `put` does. For a new owner, key and texts
   * are written together.
   *
   * @throws KeyDestroyed when the data key was destroyed or belongs to another tenant; nothing was stored
   * @throws DomainError not_configured without a master key
   */
  readonly create: (tenant: string, owner: string, bodies?: readonly VaultText[]) => Promise<void>;
  /**
   * Stores texts (well-formed Unicode) atomically. A text whose id is already stored stays unchanged.
   *
   * @throws KeyDestroyed when the owner has no data key (any more); nothing was stored
   * @throws DomainError not_configured without a master key
   */
  readonly put: (tenant: string, owner: string, bodies: readonly VaultText[]) => Promise<void>;
  /**
   * Texts by id, without unknown ids. Null: the owner has no data key (any more).
   *
   * @throws DecryptionFailed when the text is not the one stored under this owner and id
   * @throws DomainError not_configured without a master key
   */
  readonly read: (
    tenant: string,
    owner: string,
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, string> | null>;
  /** Deletes these texts. Needs no master key. */
  readonly forget: (tenant: string, owner: string, ids: readonly string[]) => Promise<void>;
  /**
   * Deletes the data key and every text of an owner, in one transaction. Does nothing for an owner without a key. Needs
   * no master key.
   */
  readonly destroy: (tenant: string, owner: string) => Promise<void>;
  /**
   * Owners with texts written at least `olderMs` and at most `youngerMs` ago, each with those texts. In order of the
   * owners' ids, after `after`. Needs no master key.
   */
  readonly writtenBetween: (
    age: { readonly olderMs: number; readonly youngerMs: number },
    after: string,
    limit: number,
  ) => Promise<readonly OwnedTexts[]>;
}

export interface VaultText {
  /** Unique per owner. */
  readonly id: string;
  readonly text: string;
}
export interface OwnedTexts {
  readonly tenant: string;
  readonly owner: string;
  readonly ids: readonly string[];
}

export class KeyDestroyed extends Error {
  override readonly name = 'KeyDestroyed';
}

/** Authenticated encryption with associated data (AEAD, RFC 5116). */
export interface Cipher {
  /** A fresh random key, of the length that `seal` requires. */
  readonly newKey: () => Uint8Array;
  /**
   * Encrypts with a fresh nonce, so that equal bytes never give equal results. The result does not contain the
   * associated data `belongsTo`; `open` needs it again.
   */
  readonly seal: (key: Uint8Array, bytes: Uint8Array, belongsTo: readonly string[]) => Uint8Array;
  /** @throws DecryptionFailed when the key, the bytes or the associated data differ from those that were sealed */
  readonly open: (key: Uint8Array, sealed: Uint8Array, belongsTo: readonly string[]) => Uint8Array;
}

export class DecryptionFailed extends Error {
  override readonly name = 'DecryptionFailed';
}

/** The key of an installation that encrypts its data keys. */
export interface MasterKey {
  /** Identifies the key without revealing anything about it; differs for every key. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The master keys of an installation. */
export interface MasterKeys {
  /** Encrypts new data keys. */
  readonly current: MasterKey;
  /** Other keys that may still encrypt data keys, until a rotation has rewrapped all of them. */
  readonly previous: readonly MasterKey[];
}

/** A key management service. It wraps keys with a key that never leaves it (envelope encryption). */
export interface KeyWrapping {
  /**
   * Generates a master key of 32 bytes and returns it wrapped; this process never sees the key itself.
   *
   * @param keyId the service's id of the wrapping key
   * @throws KeyWrappingFailed
   */
  readonly generate: (keyId: string) => Promise<Uint8Array>;
  /** The 32 bytes of a key from `generate`. @throws KeyWrappingFailed */
  readonly unwrap: (wrapped: Uint8Array) => Promise<Uint8Array>;
}

/** The message says what to do, and contains no key. */
export class KeyWrappingFailed extends Error {
  override readonly name = 'KeyWrappingFailed';
}
