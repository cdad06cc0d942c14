/**
 * The file store: immutable byte strings under the SHA-256 of their bytes. It stores documents as fetched, chunk sets
 * and message bodies; events and rows refer to them by hash.
 *
 * A hash has 64 lower-case hex digits. Any other string names no file: the file is absent, and the string is never an
 * error and never a path. The store counts no references: before a deletion, the caller must know that nothing else
 * refers to the hash.
 *
 * If the store is a remote service, every method may throw {@link FileStoreUnavailable}, and so may the stream of an
 * open file.
 */

export interface StoredFile {
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Byte positions from 0, both inclusive (RFC 9110 section 14.1.2). An `end` that is absent or past the file means the
 * end of the file.
 */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

export interface OpenFile {
  /** Length of the whole file, whatever the range. */
  readonly bytes: number;
  /** The first and last byte position in the stream; `end` is -1 for an empty file. */
  readonly start: number;
  readonly end: number;
  /**
   * The bytes, in order. Iterate it at most once. It holds no resource before the first step, after the last step, or
   * after the consumer leaves the loop. It fails if the file is deleted before the first step.
   *
   * @throws {FileDamaged} at the end at the latest, if the adapter verifies what it reads
   */
  readonly stream: AsyncIterable<Uint8Array>;
}

export interface FileStore {
  /**
   * Stores the bytes. When it resolves, they survive a crash of the machine. Storing existing bytes writes nothing;
   * concurrent puts of equal bytes are one write. After a rejection the file may or may not be stored, but never in
   * part.
   */
  put(bytes: Uint8Array): Promise<StoredFile>;

  /** `put` of the text in UTF-8. */
  putText(text: string): Promise<StoredFile>;

  /**
   * `put` for each item, several at a time; results in the order of the items. Not atomic. Much faster than single
   * calls on a disk, which must confirm each write.
   */
  putMany(items: readonly Uint8Array[]): Promise<StoredFile[]>;

  /**
   * Stores a stream without holding it in memory.
   *
   * @throws {FileTooLarge} as soon as more than `maxBytes` have arrived, and whatever the stream throws; nothing is
   * stored then
   */
  putStream(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredFile>;

  /**
   * Null if there is no such file.
   *
   * @throws {RangeNotSatisfiable} for a range that starts at or past the end, or that ends before it starts
   */
  open(sha256: string, range?: ByteRange): Promise<OpenFile | null>;

  /**
   * The whole file, or null.
   *
   * @throws {FileDamaged} where the adapter verifies what it reads
   */
  read(sha256: string): Promise<Buffer | null>;

  has(sha256: string): Promise<boolean>;

  /** Returns whether the file existed. When it resolves, the deletion survives a crash. */
  delete(sha256: string): Promise<boolean>;
}

/** Stores streams one after the other, with a single wait for the disk at the end. */
export interface Receiving {
  /** Like `putStream`, but a crash of the machine may lose the file until `settle` resolves. */
  put(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredFile>;
  /** When it resolves, all files put before survive a crash of the machine. */
  settle(): Promise<void>;
}

export interface LocalFile extends StoredFile {
  /** Absolute path on this machine. Read-only, and valid only while `use` runs. */
  readonly path: string;
}

/** A file store that can expose its files to other programs on this machine, such as document readers. */
export interface LocalFileStore extends FileStore {
  /** For many streams: much faster than one `putStream` each. */
  receive(): Receiving;

  /**
   * Like `putMany`, and passes the files to `use` at local paths, in the order of the items, without fetching the bytes
   * from a remote store again. An item may be a `StoredFile`, which never passes through memory as a whole; if it does
   * not exist, there is no file at its path.
   *
   * @throws what `putMany` and `use` throw
   */
  putLocally<Result>(
    items: readonly (Uint8Array | StoredFile)[],
    use: (files: readonly LocalFile[]) => Promise<Result>,
  ): Promise<Result>;
}

/** Why a file store is unavailable. */
type UnavailableReason =
  /** The store does not answer, or not in time. */
  | 'unreachable'
  /** The store reports that it cannot serve the request now. */
  | 'overloaded'
  /** The store rejects the credentials, or forbids this operation. */
  | 'refused'
  /** The configured place does not exist. */
  | 'missing'
  /** The store has no space left. */
  | 'full'
  /** The store was closed, or the caller aborted. */
  | 'stopped'
  /** Anything else. */
  | 'failed';

/**
 * The store cannot answer any request. Thrown after bounded retries where these may help. The message is for people: it
 * says what to check, and contains no secret.
 */
export class FileStoreUnavailable extends Error {
  override readonly name = 'FileStoreUnavailable';
  readonly reason: UnavailableReason;
  constructor(reason: UnavailableReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The stored bytes do not match their hash, or some are missing. */
export class FileDamaged extends Error {
  override readonly name = 'FileDamaged';
  constructor(sha256: string) {
    super(`the stored bytes of ${sha256} are damaged`);
  }
}

/** The stream has more bytes than the caller allows. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** The range contains no byte of the file (HTTP 416). */
export class RangeNotSatisfiable extends Error {
  override readonly name = 'RangeNotSatisfiable';
  /** Length of the file. */
  readonly bytes: number;
  constructor(bytes: number) {
    super(`the range contains no byte of a file of ${bytes} bytes`);
    this.bytes = bytes;
  }
}

/**
 * The bytes that a range selects from a file of the given length.
 *
 * @throws {RangeNotSatisfiable}
 */
export const resolveRange = (bytes: number, range: ByteRange | undefined): { start: number; end: number } => {
  if (range === undefined) return { start: 0, end: bytes - 1 };
  const end = Math.min(range.end ?? bytes - 1, bytes - 1);
  if (range.start < 0 || range.start >= bytes || end < range.start) throw new RangeNotSatisfiable(bytes);
  return { start: range.start, end };
};

export const isSha256 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

type Urgency = 'caller' | 'worker';

/**
 * One file store ("area") per data source: two data sources never share a file, and deleting a data source deletes
 * exactly its own files. Within an area, the holder of the data source's lease is the only writer.
 */
export interface FileAreas {
  /**
   * @param patience `caller`: a client waits for the answer, so a request that gets no response within some seconds
   * fails with FileStoreUnavailable. Default `worker`: transient failures are retried for up to some minutes.
   */
  readonly area: (dataSourceId: string, patience?: Urgency) => Promise<LocalFileStore>;
  /** Deletes an area with all its files. Returns the number of bytes deleted; 0 if there is no such area. */
  readonly remove: (dataSourceId: string) => Promise<number>;
  /**
   * Deletes the files of an area that are not in `keep` and were last written before `before` (Unix milliseconds).
   * Returns their number. A store with its own clock may leave the youngest of them to the next sweep.
   */
  readonly sweep: (dataSourceId: string, keep: ReadonlySet<string>, before: number) => Promise<number>;
  /**
   * Moves all files of an area into another; the area `from` no longer exists then. The files count as written now.
   * After a failure it may be repeated: each file is in at least one of the two areas. Does nothing for an area without
   * files.
   */
  readonly move: (from: string, to: string) => Promise<void>;
  /**
   * Binds the storage place of all areas to this service, before anything is stored there: a place without a mark gets
   * one. Some places can disappear without an error, for example a volume that is not mounted. If the mark of such a
   * place disappears, the place counts as lost: every operation throws `missing` and creates nothing.
   *
   * All processes that share the place make one claim at a time.
   *
   * @param known the mark that the last claim returned; null: there was none
   * @param fresh the mark to write if the place has none and none is known
   * @returns the mark of the place; null if the store itself reports a loss
   * @throws FileStoreUnavailable; `missing` if the place does not have the known mark
   */
  readonly claim: (known: string | null, fresh: string) => Promise<string | null>;
  /**
   * Resolves if files can be stored. It may write a small file to find out.
   *
   * @throws FileStoreUnavailable with the reason; also when `signal` aborts
   */
  readonly check: (signal?: AbortSignal) => Promise<void>;
  /** Ends running operations and closes all handles. */
  readonly close: () => Promise<void>;
}

/** Temporary files for readers that need a path. */
export interface ScratchFiles {
  /**
   * Writes the bytes to a private local file and passes its path to `use`. The file is deleted when the promise
   * settles. If the process is killed meanwhile, the operating system has to clear the file.
   *
   * @throws what `use` throws
   */
  readonly withFile: <Result>(bytes: Uint8Array, use: (path: string) => Promise<Result>) => Promise<Result>;
}
