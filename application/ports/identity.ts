/** Time and ids enter through these ports and travel in commands. */
export interface Clock {
  /** Unix milliseconds. */
  readonly now: () => number;
}
export interface IdSource {
  /** UUIDv7 (RFC 9562): unique, and ordered by the time of its making within one process. */
  readonly newId: () => string;
}
export interface Hash {
  /** SHA-256, lower-case hex. */
  readonly sha256: (data: string | Uint8Array) => string;
}
export interface Secrets {
  /** `kn_` and 32 random bytes in base64url. */
  readonly newApiKey: () => string;
}
