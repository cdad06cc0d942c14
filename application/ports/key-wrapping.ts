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
