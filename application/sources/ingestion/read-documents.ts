import type { JobErrorTitle } from '../../../domain/data-source/index.ts';
import type { ChunkSet } from '../../../domain/chunking/chunk-set.ts';
import type { FileAreas, LocalFile, StoredFile } from '../../ports/file-store.ts';
import type {
  ExtractedDocument,
  ExtractionOutcome,
  ExtractionRequest,
  DocumentReader,
} from '../../ports/document-reader.ts';
import type { PoliciesInForce } from '../../redaction/policies-in-force.ts';
import { redact } from '../../redaction/redactor.ts';
import { firstTitle } from './document-title.ts';
import type { Job } from './job.ts';

export interface ReadDocumentsDeps {
  readonly files: FileAreas;
  readonly extractor: DocumentReader;
  /** The bytes of a chunk set as they are stored; equal sets give equal bytes. */
  readonly writeChunkSet: (chunkSet: ChunkSet) => Promise<Uint8Array>;
  readonly redaction: PoliciesInForce;
}

/** Bytes from a provider, and its claims about them. */
export interface FoundDocument extends Pick<
  ExtractionRequest,
  'mediaType' | 'charset' | 'fileName' | 'url' | 'robotName' | 'title' | 'fileType' | 'chunkMetadataKeys'
> {
  /** Bytes, or a file that already has them in the area of the data source. */
  readonly body: Uint8Array | StoredFile;
}

/** Length of the body in bytes. */
export const lengthOf = ({ body }: FoundDocument): number =>
  body instanceof Uint8Array ? body.byteLength : body.bytes;

/** A document with text: its bytes and its stored chunks. */
export interface ReadText {
  readonly raw: StoredFile;
  readonly outcome: ExtractedDocument;
  readonly chunkSet: StoredFile;
}
/** A document without text. */
export interface NoText {
  readonly raw: StoredFile;
  readonly outcome: Exclude<ExtractionOutcome, ExtractedDocument>;
  /** Redacted title or file name. Absent: none. */
  readonly title?: string;
  readonly chunkSet: null;
}
/** The result of reading a document. */
export type ReadOutcome = ReadText | NoText;

/** The data source for which documents are read. */
export interface Reading extends Pick<Job, 'dataSourceId' | 'tenant' | 'assertLeaseHeld'> {
  /** The file area for the bytes. Default: the area of the data source. */
  readonly areaId?: string;
}

/** See `Documents.read`. */
export const readDocuments = async (
  deps: ReadDocumentsDeps,
  job: Reading,
  found: readonly FoundDocument[],
  signal: AbortSignal,
): Promise<readonly ReadOutcome[]> => {
  job.assertLeaseHeld();
  const area = await deps.files.area(job.areaId ?? job.dataSourceId);
  const { raws, outcomes } = await area.putLocally(
    found.map(({ body }) => body),
    async (files) => ({
      raws: files.map(({ sha256, bytes }): StoredFile => ({ sha256, bytes })),
      outcomes: await extract(deps, job, found, files, signal),
    }),
  );
  const sets = outcomes.flatMap((outcome) => (outcome.kind === 'document' ? [outcome.chunkSet] : []));
  const packed = await Promise.all(sets.map((set) => deps.writeChunkSet(set)));
  const titles = await titlesWithoutText(deps, job, found, outcomes);
  job.assertLeaseHeld();
  const stored = await area.putMany(packed);
  let next = 0;
  return outcomes.map((outcome, i): ReadOutcome => {
    const raw = raws[i] as StoredFile;
    if (outcome.kind !== 'document') return { raw, outcome, chunkSet: null, ...titles[i] };
    return { raw, outcome, chunkSet: stored[next++] as StoredFile };
  });
};

const withoutBody = (document: FoundDocument): Omit<FoundDocument, 'body'> => {
  const { body: _, ...claims } = document;
  return claims;
};

const titlesWithoutText = async (
  { redaction }: ReadDocumentsDeps,
  { tenant }: Reading,
  found: readonly FoundDocument[],
  outcomes: readonly ExtractionOutcome[],
): Promise<readonly Pick<NoText, 'title'>[]> => {
  if (outcomes.every(({ kind }) => kind === 'document')) return [];
  const { compiled } = await redaction.at(tenant, 'ingestion');
  return found.map(({ title = '', fileName = '' }, i) =>
    outcomes[i]?.kind === 'document' || `${title}${fileName}`.trim() === ''
      ? {}
      : { title: redact(firstTitle(title, fileName), compiled).text },
  );
};

/** Throws if the policies are unavailable: then nothing is read, and the job is retried. */
const extract = async (
  { extractor, redaction }: ReadDocumentsDeps,
  job: Reading,
  found: readonly FoundDocument[],
  files: readonly LocalFile[],
  signal: AbortSignal,
): Promise<readonly ExtractionOutcome[]> => {
  const { rules } = await redaction.at(job.tenant, 'ingestion');
  return extractor.extractBatch(
    found.map((claims, i) => ({
      ...withoutBody(claims),
      file: (files[i] as LocalFile).path,
      bytes: (files[i] as LocalFile).bytes,
      queueKey: job.dataSourceId,
      ...(rules.length > 0 && { redaction: rules }),
    })),
    signal,
  );
};

/** The phrase for a job that ends because its documents could not be read; undefined for codes of other failures. */
export const titleOfReadFailure = (code: string): JobErrorTitle | undefined => TITLES.get(code);

const TITLES: ReadonlyMap<string, JobErrorTitle> = new Map([
  ['parser_failed', 'Parser failed'],
  ['out_of_memory', 'Parser failed'],
  ['encrypted', 'Parser failed'],
  ['empty', 'Parser failed'],
  ['mislabelled', 'Parser failed'],
  ['truncated', 'Parser failed'],
]);
