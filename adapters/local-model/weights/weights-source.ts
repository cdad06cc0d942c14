/** By which a file is told from a broken one; `git`: SHA-1 of git's blob, as hubs name small files. */
export interface Digest {
  readonly kind: 'sha256' | 'git';
  readonly hex: string;
}

export interface OfferedFile {
  readonly path: string;
  /** Null where the source does not say. */
  readonly bytes: number | null;
  readonly digest: Digest | null;
}

/** What a source has of a model. */
export interface Offer {
  readonly revision: string | null;
  /** Of models that this one was made from. */
  readonly bases: readonly string[];
  readonly files: readonly OfferedFile[];
}

export interface OpenedFile {
  /** Where `body` begins: where it was asked to, or at 0. */
  readonly from: number;
  /** What only the answer says of the whole file. */
  readonly digest: Digest | null;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Where a model comes from. */
export interface WeightsSource {
  /** @throws SourceFailed; the signal's reason when it aborts */
  readonly offer: (signal: AbortSignal) => Promise<Offer>;
  /** @throws SourceFailed, also while `body` is read; the signal's reason when it aborts */
  readonly open: (file: OfferedFile, from: number, signal: AbortSignal) => Promise<OpenedFile>;
}

/** The source does not give what it is asked for. `passing`: it may the next time. */
export class SourceFailed extends Error {
  override readonly name = 'SourceFailed';
  readonly passing: boolean;
  constructor(message: string, { passing }: { readonly passing: boolean }) {
    super(message);
    this.passing = passing;
  }
}
