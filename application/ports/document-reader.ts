import type { TextUnit } from '../../domain/chunking/chunk.ts';
import type { MetadataValueType } from '../../domain/source/events.ts';
import type { RedactionRule } from '../../domain/redaction/index.ts';
import type { ChunkSet } from '../../domain/chunking/chunk-set.ts';

type TextFileType = 'html' | 'md' | 'txt' | 'jsonl' | 'wiki_page';
type OfficeFileType = 'doc' | 'docx' | 'docm' | 'ppt' | 'pptx' | 'pptm' | 'xls' | 'xlsx' | 'xlsm';
export type ImageFileType = 'png' | 'jpg' | 'webp' | 'heic' | 'heif';
export type AudioFileType = 'wav' | 'mp3' | 'aiff' | 'aac' | 'm4a' | 'ogg' | 'flac';
export type VideoFileType = 'mp4' | 'mpg' | 'mov' | 'avi' | 'flv' | 'webm' | 'wmv' | '3gp';

/** Values of the interface's `file_type`. */
export type ExtractableFileType =
  | 'pdf'
  | TextFileType
  | OfficeFileType
  | ImageFileType
  | AudioFileType
  | VideoFileType;

/** A metadata field of the rows of a document, as its owner declares it. */
export interface DeclaredKey {
  readonly key: string;
  readonly type: MetadataValueType;
}

/** A stored document and what is claimed about it. Claims may be wrong: the bytes decide where they can. */
export interface ExtractionRequest {
  /** Absolute path on this machine. */
  readonly file: string;
  /** Length of the file. */
  readonly bytes: number;
  /** Content-Type as received, parameters allowed. */
  readonly mediaType?: string;
  /** `charset` that the transport declared; else that of `mediaType`. */
  readonly charset?: string;
  /** Name that the document was uploaded under. */
  readonly fileName?: string;
  /** Address that answered with the document: relative links start there. */
  readonly url?: string;
  /** Lower-case name by which a page may address this robot in a meta element. */
  readonly robotName?: string;
  /** As its owner calls it: it counts more than what the document says of itself. Redacted as that is. */
  readonly title?: string;
  /** Text that a connector wrote itself, in Markdown: then nothing is guessed from claims and bytes. */
  readonly fileType?: 'wiki_page';
  /**
   * Rows of tables (csv, tsv, xls, xlsx, xlsm) are then contents of their own, with these fields as their metadata. Lines of
   * jsonl always are. No effect on other types. Default: none.
   */
  readonly chunkMetadataKeys?: readonly DeclaredKey[];
  /** Of sound and video: absolute path of a `Transcript` in JSON. Without it the outcome says that one is `missing`. */
  readonly transcript?: string;
  /** Whether the outcome shall hold the text before chunking, of html as Markdown. Default: no. */
  readonly withUnits?: boolean;
  /** What text, headings and title must not hold when they leave the reader. Default: nothing. */
  readonly redaction?: readonly RedactionRule[];
  /** Requests of one name share a turn: many of them do not make those of others wait. Default: all without share one. */
  readonly turn?: string;
  readonly limits?: Partial<ExtractionLimits>;
}

export interface ExtractionLimits {
  /**
   * Processor time for one document, in milliseconds, so that a busy machine makes none fail. Ten times as much may pass
   * by the clock. Where the system does not tell what a process has used, it is time by the clock.
   */
  readonly timeMs: number;
  /** Resident memory of the process that reads the document, in bytes. Reaching it is `out_of_memory`. */
  readonly memoryBytes: number;
  /** Of the document. Above is `too_large`. */
  readonly fileBytes: number;
  /** Of the text taken from it. Above is `too_large`. */
  readonly textCharacters: number;
}

export interface ExtractedDocument {
  readonly kind: 'document';
  readonly fileType: ExtractableFileType;
  /** Never empty: where the document has none, its first heading or the name of its file. */
  readonly title: string;
  /** As the document declares it (BCP 47). */
  readonly language?: string;
  /** Character encoding in which the bytes were read: WHATWG name in lower case. Absent where the type has its own. */
  readonly encoding?: string;
  /** Ready to be stored. Without chunks where the document holds no text. */
  readonly chunkSet: ChunkSet;
  /** The text by heading and page, in reading order; only `withUnits`. */
  readonly units?: readonly TextUnit[];
  /** Of rows: what could not be read of them, by row, at most 1,000. */
  readonly rowErrors?: readonly RowError[];
  /** How many errors there were; with `rowErrors`. */
  readonly rowErrorCount?: number;
  /** Something that is not set up keeps the text of it from being read. Its title stands for it until then. */
  readonly missing?: MissingProvider;
  /** How much of it was read, where that is not all. Reading it again would not change it. */
  readonly unread?: UnreadRest;
  /** Only for html: what a crawler needs, from the same pass, so that nobody parses the page again. */
  readonly page?: PageFacts;
}

export interface RowError {
  /** The line of the file on which the row begins, or the row of its sheet; from 1. */
  readonly row: number;
  /** The field that is not of its type; it is left out of the row. Null: the row as a whole is left out. */
  readonly key: string | null;
  /** What is wrong, for people; holds no text of the document. */
  readonly message: string;
}

export interface MissingProvider {
  readonly code: 'not_configured';
  /** What to set up, for people. */
  readonly message: string;
}

export interface UnreadRest {
  readonly code: 'partly_read';
  /** What was read of how much, for people. */
  readonly message: string;
}

/** Not one of the types that are read. */
export interface UnsupportedDocument {
  readonly kind: 'unsupported';
  /** Media type that the bytes or the claims show, or null. */
  readonly mediaType: string | null;
  /** What was found, for people. */
  readonly message: string;
}

export type ExtractionFailureCode =
  /** The bytes are no document of their type, or the parser broke on them. */
  | 'parser_failed'
  | 'timed_out'
  | 'out_of_memory'
  /** Needs a password. */
  | 'encrypted'
  /** No bytes at all. */
  | 'empty'
  /** It breaks off: what tells where its parts lie is missing. */
  | 'truncated'
  /** It is called a type that its bytes are not of, and is of no other that is read. */
  | 'mislabelled'
  /** A provider that the type needs failed on it, or is away. */
  | 'provider_error'
  | 'too_large';

export interface FailedExtraction {
  readonly kind: 'failed';
  readonly code: ExtractionFailureCode;
  /** What happened, for people; holds no text of the document. */
  readonly message: string;
}

export type ExtractionOutcome = ExtractedDocument | UnsupportedDocument | FailedExtraction;

/** Stopped before the document was read: the extractor was closed. */
export class ExtractorClosed extends Error {
  override readonly name = 'ExtractorClosed';
}

/**
 * Turns stored documents into chunk sets. What a document does to its reader stays there: one that hangs, explodes or
 * crashes costs itself and a little time, every other document is read.
 */
export interface DocumentReader {
  /**
   * Reads one document. Calls are independent and may be many; they wait for their turn in the order of calling. A
   * document that timed out, or broke its reader, is tried once more with a reader to itself.
   * Deterministic but for `timed_out` and `out_of_memory`.
   *
   * @throws the reason of `signal` as soon as it aborts, {@link ExtractorClosed}, and nothing else: whatever is wrong
   * with a document is an outcome
   */
  extract(request: ExtractionRequest, signal?: AbortSignal): Promise<ExtractionOutcome>;

  /** `extract` of each, answers in the order given. Cheaper than single calls for small documents. */
  extractBatch(requests: readonly ExtractionRequest[], signal?: AbortSignal): Promise<ExtractionOutcome[]>;

  /** Ends all readers, also one that hangs; what waits fails with {@link ExtractorClosed}. Afterwards none is left. */
  close(): Promise<void>;
}

/** What a crawler needs of an HTML page. */
export interface PageFacts {
  /** White space collapsed, at most 500 characters; `''` where there is none. */
  readonly title: string;
  /** What it says of itself in one line, at most 1,000 characters; `''` where it does not. */
  readonly description: string;
  /**
   * Absolute canonical URLs (see `parseCrawlUrl`) in order of appearance, each once, at most 10,000: of links, image
   * maps and frames, not of links marked `rel=nofollow`. Other sites' are included.
   */
  readonly links: readonly string[];
  /** `rel=canonical`, absolute, or null. */
  readonly canonical: string | null;
  /** It says next to nothing and expects its scripts to fill it. */
  readonly needsScripts: boolean;
  /** Target of an immediate or delayed refresh, absolute, or null: a redirect in disguise. */
  readonly refresh: string | null;
  /** From `<meta name=robots>` or one that names this robot. */
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** The encoding the page was read in, WHATWG name. */
  readonly encoding: string;
}

/** What was taken from a document, as it stands there. */
interface ExtractedText {
  readonly title: string | null;
  /** Stands for the title of a document without one: the name of its file, or of its address. */
  readonly name: string;
  /** As the document declares it. */
  readonly language: string | null;
  /** By heading and page, in reading order. */
  readonly units: readonly TextUnit[];
  readonly page?: PageFacts;
}

/** The part of it that may be kept. */
interface PreparedText {
  readonly title: string;
  /** BCP 47. */
  readonly language?: string;
  readonly units: readonly TextUnit[];
  readonly chunkSet: ChunkSet;
  readonly page?: PageFacts;
}

interface AboutDocument {
  readonly url: string | null;
  /** A value of the interface's `file_type`. */
  readonly fileType: string;
  readonly redaction: readonly RedactionRule[];
}

/** The steps of ingestion between text and chunks: redacts, names, cuts, and finds keywords. Deterministic. */
export type PrepareText = (extracted: ExtractedText, about: AboutDocument) => PreparedText;
