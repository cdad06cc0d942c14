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
