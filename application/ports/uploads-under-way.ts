/** One upload that a process is receiving. */
export interface UploadUnderWay {
  /** Of the area that its bytes wait in. */
  readonly id: string;
  readonly tenant: string;
  /** The data source that was registered for it, and is to go with it; null: none. */
  readonly createdId: string | null;
}

/**
 * Which uploads are being received at present, by whatever process: what a process that died has left behind is found
 * here. Kept beside the read models; no rebuild touches it.
 */
export interface UploadsUnderWay {
  /** From now on and for `ms`; known already, its facts are replaced. */
  readonly hold: (upload: UploadUnderWay, ms: number) => Promise<void>;
  /** Holds it for `ms` more. False: it was given up as abandoned, and what had come of it is gone. */
  readonly renew: (id: string, ms: number) => Promise<boolean>;
  /** It is over, and nothing of it is left but what was told of. */
  readonly release: (id: string) => Promise<void>;
  /** Those that nobody holds any more, up to `limit`. Unordered. */
  readonly abandoned: (limit: number) => Promise<readonly UploadUnderWay[]>;
}
