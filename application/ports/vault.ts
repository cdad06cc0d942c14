/**
 * Texts that must be erasable. Those of one owner (a conversation, say) are encrypted under one data key, which is
 * kept encrypted under the master key of the installation: destroying the data key makes all of them unreadable, in
 * every copy that was ever made of them.
 *
 * Nothing here knows of events. Write texts before the event that refers to them: what a crash leaves without an event
 * is found by `writtenBetween`. Every write is durable when its promise resolves.
 */
export interface Vault {
  /**
   * Gives an owner its data key, unless it has one, and then keeps texts as `put` does: of a new owner at once with the key.
   *
   * @throws KeyDestroyed when it had a data key, which is gone by now, or is of another tenant; nothing was kept
   * @throws DomainError not_configured without a master key
   */
  readonly create: (tenant: string, owner: string, bodies?: readonly Body[]) => Promise<void>;
  /**
   * Keeps texts (well-formed Unicode), all or none. A text that is there under its id stays as it is.
   *
   * @throws KeyDestroyed when the owner has no data key (any more); nothing was kept
   * @throws DomainError not_configured without a master key
   */
  readonly put: (tenant: string, owner: string, bodies: readonly Body[]) => Promise<void>;
  /**
   * Texts by id; ids that name none are left out. Null: the owner has no data key (any more).
   *
   * @throws SealBroken when a text is not the one that was kept under its owner and id
   * @throws DomainError not_configured without a master key
   */
  readonly read: (
    tenant: string,
    owner: string,
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, string> | null>;
  /** Deletes some texts. Needs no master key. */
  readonly forget: (tenant: string, owner: string, ids: readonly string[]) => Promise<void>;
  /** Deletes the data key and every text, in one transaction. Of an owner without a key nothing. Needs no master key. */
  readonly destroy: (tenant: string, owner: string) => Promise<void>;
  /**
   * Owners of which something was written at least `olderMs` and at most `youngerMs` ago, in the order of their ids,
   * from behind `after`; each with those of its texts that were written then. Needs no master key.
   */
  readonly writtenBetween: (
    age: { readonly olderMs: number; readonly youngerMs: number },
    after: string,
    limit: number,
  ) => Promise<readonly Holding[]>;
}

export interface Body {
  /** Unique for its owner. */
  readonly id: string;
  readonly text: string;
}
export interface Holding {
  readonly tenant: string;
  readonly owner: string;
  readonly ids: readonly string[];
}

export class KeyDestroyed extends Error {
  override readonly name = 'KeyDestroyed';
}

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

/** A service that has a key which never leaves it, and wraps other keys by that one (envelope encryption). */
export interface KeyWrapping {
  /**
   * A fresh master key of 32 bytes, wrapped: nobody here sees the key itself.
   *
   * @param keyId of the key that wraps, as the service names it
   * @throws KeyWrappingFailed
   */
  readonly generate: (keyId: string) => Promise<Uint8Array>;
  /** The 32 bytes of a key that `generate` gave. @throws KeyWrappingFailed */
  readonly unwrap: (wrapped: Uint8Array) => Promise<Uint8Array>;
}

/** The message says what to do, and holds no key. */
export class KeyWrappingFailed extends Error {
  override readonly name = 'KeyWrappingFailed';
}
