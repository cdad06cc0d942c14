/**
 * The file store: immutable byte strings under the SHA-256 of their bytes. Documents as fetched, chunk sets and
 * message bodies lie here; events and rows carry the hash.
 *
 * A hash is 64 lower-case hex digits. Any other string names no file: it is absent, never an error and never a path.
 * The store counts no references. Whoever deletes must know that nobody else holds the hash.
 *
 * Where the store is another service, every method may throw {@link FileStoreUnavailable}, and so may the stream of an
 * open file.
 */

export interface StoredFile {
  readonly sha256: string;
  /** Length. */
  readonly bytes: number;
}

/** Byte positions from 0, both inclusive (RFC 9110 section 14.1.2). `end` absent or past the file: up to its end. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

export interface OpenFile {
  /** Length of the whole file, whatever the range. */
  readonly bytes: number;
  /** The first and last byte position that the stream gives; `end` is -1 for an empty file. */
  readonly start: number;
  readonly end: number;
  /**
   * The bytes, in order; to be iterated at most once. Holds no resource before the first and after the last step, nor
   * after the consumer leaves the loop. Fails where the file is deleted before the first step.
   *
   * @throws {FileDamaged} at the latest at the end, where the adapter verifies what it reads
   */
  readonly stream: AsyncIterable<Uint8Array>;
}

export interface FileStore {
  /**
   * Keeps the bytes. When it resolves they survive a crash of the machine. Storing what is there already writes
   * nothing; concurrent puts of equal bytes are one. After a rejection the file may have been kept or not; there is
   * never a part of it under the hash.
   */
  put(bytes: Uint8Array): Promise<StoredFile>;

  /** `put` of the text in UTF-8. */
  putText(text: string): Promise<StoredFile>;

  /**
   * `put` of each, several at a time, answers in the order given. Not atomic. Much faster than one
   * by one where a disk must confirm each write.
   */
  putMany(items: readonly Uint8Array[]): Promise<StoredFile[]>;

  /**
   * Keeps a stream without holding it in memory.
   *
   * @throws {FileTooLarge} as soon as more than `maxBytes` have come; and whatever the stream throws. Nothing is kept.
   */
  putStream(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredFile>;

  /**
   * Null where there is no such file.
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

  /** Whether there was such a file. When it resolves the file does not come back after a crash. */
  delete(sha256: string): Promise<boolean>;
}

/** Streams that are kept one after the other, with one wait for the disk at the end of all. */
export interface Receiving {
  /** `putStream`, but that a crash of the machine may lose the file until `settle` resolves. */
  put(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredFile>;
  /** What was put before survives a crash of the machine when this resolves. */
  settle(): Promise<void>;
}

export interface LocalFile extends StoredFile {
  /** Absolute path on this machine. To be read only, and only while `use` runs: afterwards it may be gone. */
  readonly path: string;
}

/** A file store that can show its files to other programs on this machine, such as readers of documents. */
export interface LocalFileStore extends FileStore {
  /** For many streams: much faster than `putStream` for each. */
  receive(): Receiving;

  /**
   * `putMany`, and lets `use` have the files at local paths, in the order given. The bytes need not be fetched again
   * where the store is elsewhere. A file that is kept already is given as such: it never passes through memory as a
   * whole. Where it is not there after all, neither is anything at its path.
   *
   * @throws what `putMany` and `use` throw
   */
  putLocally<Result>(
    items: readonly (Uint8Array | StoredFile)[],
    use: (files: readonly LocalFile[]) => Promise<Result>,
  ): Promise<Result>;
}

/** Why a file store cannot be used. */
type UnavailableReason =
  /** Nobody answers there, or not in time. */
  | 'unreachable'
  /** It answers that it cannot now. */
  | 'overloaded'
  /** It does not accept who asks, or not for this. */
  | 'refused'
  /** What the configuration names does not exist. */
  | 'missing'
  /** It has no room left. */
  | 'full'
  /** It was closed, or the caller gave up. */
  | 'stopped'
  /** Anything else. */
  | 'failed';

/**
 * The store cannot answer, whatever is asked; after bounded retries where these may help. The message is for people and
 * says what to look at; it holds no secret.
 */
export class FileStoreUnavailable extends Error {
  override readonly name = 'FileStoreUnavailable';
  readonly reason: UnavailableReason;
  constructor(reason: UnavailableReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The stored bytes are not those of their hash, or not all of them. */
export class FileDamaged extends Error {
  override readonly name = 'FileDamaged';
  constructor(sha256: string) {
    super(`the stored bytes of ${sha256} are damaged`);
  }
}

/** More bytes came than the caller allows. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** The range holds no byte of the file (HTTP 416). */
export class RangeNotSatisfiable extends Error {
  override readonly name = 'RangeNotSatisfiable';
  /** Length of the file. */
  readonly bytes: number;
  constructor(bytes: number) {
    super(`the range holds no byte of a file of ${bytes} bytes`);
    this.bytes = bytes;
  }
}

/**
 * The bytes that a range selects of a file of the given length.
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
 * One file store per data source, so that deleting a data source deletes its files and nobody else's, and two data
 * sources never share a file. Within an area the holder of the data source's lease is the only writer.
 */
export interface FileAreas {
  /**
   * @param patience `caller`: somebody waits for the answer, so whatever has not begun to come within some seconds is
   * given up as FileStoreUnavailable. Default `worker`: what may pass is tried again for up to some minutes.
   */
  readonly area: (dataSourceId: string, patience?: Urgency) => Promise<LocalFileStore>;
  /** Deletes an area with all its files. Answers how many bytes they held; 0 when there is none. */
  readonly remove: (dataSourceId: string) => Promise<number>;
  /**
   * Deletes the files of an area that are not in `keep` and were last written before `before` (Unix milliseconds).
   * Answers how many. A store with a clock of its own may leave the youngest of them to the next sweep.
   */
  readonly sweep: (dataSourceId: string, keep: ReadonlySet<string>, before: number) => Promise<number>;
  /**
   * Moves all files of an area into another; `from` is no area any more then. They count as written now. Broken off, it
   * may be repeated: each file is in one of the two, or in both. Of an area without files nothing happens.
   */
  readonly move: (from: string, to: string) => Promise<void>;
  /**
   * Ties the place of all areas to this service, before anything is kept there: a place without a mark gets one. Where
   * a place can be lost without an error, as a volume that is not mounted, it is lost from then on when its mark is:
   * everything throws `missing`, and nothing is made there.
   *
   * One claim at a time, of all processes that share the place.
   *
   * @param known the mark that was answered before; null: none was
   * @param fresh what to leave where there is no mark, and none is known
   * @returns the mark of the place; null where a loss shows by itself
   * @throws FileStoreUnavailable; `missing` when the place does not have the known mark
   */
  readonly claim: (known: string | null, fresh: string) => Promise<string | null>;
  /**
   * Resolves when files can be kept, which may take a small write.
   *
   * @throws FileStoreUnavailable, which says why not; also when `signal` aborts
   */
  readonly check: (signal?: AbortSignal) => Promise<void>;
  /** Ends what is under way; afterwards nothing is held open. */
  readonly close: () => Promise<void>;
}

/** Bytes for readers that take a file, which nothing else is to know of. */
export interface ScratchFiles {
  /**
   * Has `use` read the bytes at a path of this machine, which others cannot read. The file is gone when this settles;
   * what a process leaves that is killed meanwhile is the system's to clear.
   *
   * @throws what `use` throws
   */
  readonly withFile: <Result>(bytes: Uint8Array, use: (path: string) => Promise<Result>) => Promise<Result>;
}
