import type { TextUnit } from '../../domain/chunking/chunk.ts';
import type { MetadataValueType } from '../../domain/source/events.ts';
import type { RedactionRule } from '../../domain/redaction/index.ts';
import type { ChunkSet } from '../../domain/chunking/chunk-set.ts';

type TextFileType = 'html' | 'md' | 'txt' | 'jsonl' | 'wiki_page';
type OfficeFileType = 'doc' | 'docx' | 'docm' | 'ppt' | 'pptx' | 'pptm' | 'xls' | 'xlsx' | 'xlsm';
export type ImageFileType = 'png' | 'jpg' | 'webp' | 'heic' | 'heif';
export type AudioFileType = 'wav' | 'mp3' | 'aiff' | 'aac' | 'm4a' | 'ogg' | 'flac';
export type VideoFileType = 'mp4' | 'mpg' | 'mov' | 'avi' | 'flv' | 'webm' | 'wmv' | '3gp';

/** Values of `file_type` in the API. */
export type ExtractableFileType =
  | 'pdf'
  | TextFileType
  | OfficeFileType
  | ImageFileType
  | AudioFileType
  | VideoFileType;

/** A metadata field of a document's rows, as declared by the owner of the document. */
export interface DeclaredKey {
  readonly key: string;
  readonly type: MetadataValueType;
}

/** A stored document and claims about it. Claims may be wrong: where the bytes show the type, they win. */
export interface ExtractionRequest {
  /** Absolute path on this machine. */
  readonly file: string;
  /** Length of the file. */
  readonly bytes: number;
  /** Content-Type as received, parameters allowed. */
  readonly mediaType?: string;
  /** The `charset` that the transport declared. Default: the one in `mediaType`. */
  readonly charset?: string;
  /** Name under which the document was uploaded. */
  readonly fileName?: string;
  /** URL that returned the document; the base of its relative links. */
  readonly url?: string;
  /** Lower-case name of this robot, which meta elements of a page may address. */
  readonly robotName?: string;
  /** The owner's title. It overrides the title in the document, and is redacted like it. */
  readonly title?: string;
  /** Markdown that a connector wrote. The type is then not guessed from claims and bytes. */
  readonly fileType?: 'wiki_page';
  /**
   * With keys, each row of a table (csv, tsv, xls, xlsx, xlsm) becomes its own content, with these fields as metadata.
   * Lines of jsonl always become contents. No effect on other types. Default: none.
   */
  readonly chunkMetadataKeys?: readonly DeclaredKey[];
  /** For audio and video: absolute path of a `Transcript` as JSON. Without it, the outcome has `missing`. */
  readonly transcript?: string;
  /** Whether the outcome includes the text before chunking; that of html is Markdown. Default: no. */
  readonly withUnits?: boolean;
  /** Rules that redact text, headings and title before they leave the reader process. Default: none. */
  readonly redaction?: readonly RedactionRule[];
  /**
   * Requests with the same key share one queue, and the queues are served in turn: many requests with one key do not
   * delay the others. Default: one queue for all requests without a key.
   */
  readonly queueKey?: string;
  readonly limits?: Partial<ExtractionLimits>;
}

export interface ExtractionLimits {
  /**
   * CPU time for one document in milliseconds, so that load on the machine fails no document. The wall-clock limit is
   * ten times as long. Where the system does not report CPU time, this is wall-clock time.
   */
  readonly timeMs: number;
  /** Resident memory of the reader process in bytes. A document that reaches it fails with `out_of_memory`. */
  readonly memoryBytes: number;
  /** Maximum size of the document. A larger one fails with `too_large`. */
  readonly fileBytes: number;
  /** Maximum length of the extracted text. Of a longer one the first part is read, where the format has parts. */
  readonly textCharacters: number;
}

export interface ExtractedDocument {
  readonly kind: 'document';
  readonly fileType: ExtractableFileType;
  /** By the bytes, and by claims that are more exact; no parameters. Absent: as claimed. */
  readonly mediaType?: string;
  /** Never empty. Default: the first heading, or the file name. */
  readonly title: string;
  /** The language that the document declares (BCP 47). */
  readonly language?: string;
  /** Character encoding of the bytes: WHATWG name in lower case. Absent if the file type defines its own. */
  readonly encoding?: string;
  /** Ready to be stored. Has no chunks if the document contains no text. */
  readonly chunkSet: ChunkSet;
  /** The text by heading and page, in reading order; only with `withUnits`. */
  readonly units?: readonly TextUnit[];
  /** Only for rows: errors by row, at most 1,000. */
  readonly rowErrors?: readonly RowError[];
  /** Total number of row errors; present with `rowErrors`. */
  readonly rowErrorCount?: number;
  /** A provider that is needed to read the text is not configured. Until it is, the document consists of its title. */
  readonly missing?: MissingProvider;
  /** Present if only a part was read, or nothing. Reading again would not change that. */
  readonly unread?: PartialRead;
  /** Only for html: facts for crawlers, from the same parse. */
  readonly page?: PageFacts;
}

export interface RowError {
  /** The first line of the row in the file, or its row in the sheet; from 1. */
  readonly row: number;
  /** The field whose value does not have the declared type and is omitted. Null: the whole row is omitted. */
  readonly key: string | null;
  /** A description for people, without text of the document. */
  readonly message: string;
}

export interface MissingProvider {
  readonly code: 'not_configured';
  /** What to configure, for people. */
  readonly message: string;
}

export interface PartialRead {
  readonly code: 'partly_read' | 'no_text';
  /** How much of the document was read, for people. */
  readonly message: string;
}

/** A file type that this service does not read. */
export interface UnsupportedDocument {
  readonly kind: 'unsupported';
  /** Media type according to the bytes or the claims, or null. */
  readonly mediaType: string | null;
  /** What the file seems to be, for people. */
  readonly message: string;
}

export type ExtractionFailureCode =
  /** The bytes are not a valid document of their type, or the parser crashed on them. */
  | 'parser_failed'
  | 'timed_out'
  | 'out_of_memory'
  /** The document needs a password. */
  | 'encrypted'
  /** The file has no bytes. */
  | 'empty'
  /** The end of the file is missing, and with it the index of its parts. */
  | 'truncated'
  /** The bytes are neither of the claimed type nor of another supported type. */
  | 'mislabelled'
  /** A provider that the type needs failed or is unavailable. */
  | 'provider_error'
  | 'too_large';

export interface FailedExtraction {
  readonly kind: 'failed';
  readonly code: ExtractionFailureCode;
  /** What happened, for people, without text of the document. */
  readonly message: string;
}

export type ExtractionOutcome = ExtractedDocument | UnsupportedDocument | FailedExtraction;

/** The reader was closed before it read the document. */
export class ExtractorClosed extends Error {
  override readonly name = 'ExtractorClosed';
}

/**
 * Turns stored documents into chunk sets. A document that hangs or crashes its reader process fails alone; all other
 * documents are read.
 */
export interface DocumentReader {
  /**
   * Reads one document. Any number of independent calls may run; they are served in the order of calling. A document
   * that timed out or crashed its reader process is retried once in a process of its own. Deterministic except for
   * `timed_out` and `out_of_memory`.
   *
   * @throws the reason of `signal` as soon as it aborts, {@link ExtractorClosed}, and nothing else: every problem of a
   * document is an outcome
   */
  extract(request: ExtractionRequest, signal?: AbortSignal): Promise<ExtractionOutcome>;

  /**
   * `extract` for each request, with the outcomes in the order of the requests. Faster than single calls for small
   * documents.
   */
  extractBatch(requests: readonly ExtractionRequest[], signal?: AbortSignal): Promise<ExtractionOutcome[]>;

  /**
   * Ends all reader processes, hanging ones too. Waiting calls fail with {@link ExtractorClosed}. When it resolves, no
   * process is left.
   */
  close(): Promise<void>;
}

/** Facts about an HTML page for crawlers. */
export interface PageFacts {
  /** White space collapsed, at most 500 characters; `''` if the page has none. */
  readonly title: string;
  /** The page's own description in one line, at most 1,000 characters; `''` if it has none. */
  readonly description: string;
  /**
   * Absolute canonical URLs (see `parseCrawlUrl`) of links, image maps and frames, without links marked `rel=nofollow`.
   * In order of appearance, without duplicates, at most 10,000, including other sites.
   */
  readonly links: readonly string[];
  /** `rel=canonical`, absolute, or null. */
  readonly canonical: string | null;
  /** The page has almost no text without its scripts. */
  readonly needsScripts: boolean;
  /** Absolute target of an immediate or delayed refresh, which is a redirect in effect; or null. */
  readonly refresh: string | null;
  /** From `<meta name=robots>` or a meta element that names this robot. */
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** Character encoding of the page: WHATWG name. */
  readonly encoding: string;
}

/** Text extracted from a document, before redaction. */
interface ExtractedText {
  readonly title: string | null;
  /** Default title: the name of the file, or of its URL. */
  readonly name: string;
  /** The language that the document declares. */
  readonly language: string | null;
  /** By heading and page, in reading order. */
  readonly units: readonly TextUnit[];
  readonly page?: PageFacts;
}

/** The redacted text, which may be stored. */
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
  /** A value of `file_type` in the API. */
  readonly fileType: string;
  readonly redaction: readonly RedactionRule[];
}

/** The ingestion steps from text to chunks: redaction, language, chunking, keywords. Deterministic. */
export type PrepareText = (extracted: ExtractedText, about: AboutDocument) => PreparedText;
