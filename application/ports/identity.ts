/** Time and ids enter through these ports; commands carry them into the domain. */
export interface Clock {
  /** Unix milliseconds. */
  readonly now: () => number;
}
export interface IdSource {
  /** UUIDv7 (RFC 9562): unique, and in order of creation within one process. */
  readonly newId: () => string;
}
export interface Hash {
  /** SHA-256, lower-case hex. */
  readonly sha256: (data: string | Uint8Array) => string;
}
export interface ApiKeySource {
  /** `kn_` and 32 random bytes in base64url. */
  readonly newApiKey: () => string;
}
