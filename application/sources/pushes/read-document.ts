import { DomainError } from '../../../domain/shared/domain-error.ts';
import { contentionTimeout } from '../../event-sourcing/back-off.ts';
import type { EventFeed } from '../../ports/event-store.ts';
import type { LocalFileStore, StoredFile } from '../../ports/file-store.ts';
import type { Hash } from '../../ports/identity.ts';
import type { ReadGate } from '../../ports/read-gate.ts';
import {
  type FoundDocument,
  type ReadDocumentsDeps,
  type ReadOutcome,
  type Reading,
  readDocuments,
} from '../ingestion/read-documents.ts';
import type { UploadPart } from '../uploads/upload-area.ts';
import { type DocumentFields, fileNameOf, withDocumentField } from './document-fields.ts';

export interface ReadPushedDeps extends ReadDocumentsDeps {
  readonly feed: Pick<EventFeed, 'head'>;
  readonly gate: ReadGate;
  readonly hash: Hash;
  /** URL of a source's bytes in this service. */
  readonly urlOf: (sourceId: string) => string;
}

/** A received document in the form that readers and the item store use. */
export interface PushedDocument {
  readonly locator: string;
  /** Hash of bytes and claims; differs if the document has changed. */
  readonly fingerprint: string;
  readonly found: FoundDocument & { readonly url: string };
}

export const pushedDocument = (
  { hash, urlOf }: Pick<ReadPushedDeps, 'hash' | 'urlOf'>,
  { locator, sourceId }: { readonly locator: string; readonly sourceId: string },
  { raw, mediaType, title, url }: ReceivedDocument,
): PushedDocument => ({
  locator,
  fingerprint: hash.sha256(JSON.stringify([raw.sha256, mediaType ?? null, title ?? null, url ?? null])),
  found: {
    body: raw,
    fileName: fileNameOf(locator),
    url: url ?? urlOf(sourceId),
    ...(mediaType !== undefined && { mediaType }),
    ...(title !== undefined && { title }),
  },
});

const POLICIES_MS = 5_000;

/**
 * Extracts the text of a document, in the area of its upload. Applies every redaction policy that existed at the time
 * of the call.
 *
 * @throws DomainError unsupported_media_type if no reader supports the file, unavailable; ContentionTimeout once the
 * caller has stopped waiting
 */
export const readPushed = async (
  deps: ReadPushedDeps,
  reading: Reading,
  document: PushedDocument,
  signal: AbortSignal,
): Promise<ReadOutcome> => {
  await waitForPolicies(deps, signal);
  const [read] = await readDocuments(deps, reading, [document.found], signal).catch((error: unknown) => {
    throw signal.aborted ? contentionTimeout() : error;
  });
  if (read === undefined) throw new Error('a document was read without an outcome');
  if (read.outcome.kind === 'unsupported')
    throw new DomainError('unsupported_media_type', `this document cannot be read: ${read.outcome.message}`);
  return read;
};

const waitForPolicies = async (
  { feed, gate, redaction }: ReadPushedDeps,
  signal: AbortSignal,
): Promise<void> => {
  const seen = await gate.reached(['redaction_policy'], await feed.head(), POLICIES_MS, signal);
  if (!seen)
    throw signal.aborted
      ? contentionTimeout()
      : new DomainError('unavailable', 'the redaction policies are not available now: try again');
  redaction.clearCache();
};

/** A completely received document. */
export interface ReceivedDocument extends DocumentFields {
  readonly raw: StoredFile;
  /** The executor's claim; absent: none. */
  readonly mediaType?: string;
}

/** Larger than any request body. */
const MAX_BYTES = 2 ** 40;

/**
 * Stores the bytes of a document as they arrive, without holding them in memory. Fields may come before and after them.
 *
 * @param given fields from outside the form, such as the query
 * @throws DomainError invalid_request; what `parts` and the store throw
 */
export const receiveDocument = async (
  area: Pick<LocalFileStore, 'putStream'>,
  parts: AsyncIterable<UploadPart>,
  given: DocumentFields,
): Promise<ReceivedDocument> => {
  let fields = given;
  let file: Pick<ReceivedDocument, 'raw' | 'mediaType'> | null = null;
  for await (const part of parts) {
    if (part.kind === 'field') {
      fields = withDocumentField(fields, part.name, part.value);
      continue;
    }
    if (file !== null) throw new DomainError('invalid_request', 'send one file: it is the document');
    const raw = await area.putStream(part.body, MAX_BYTES);
    file = { raw, ...(part.mediaType !== undefined && { mediaType: part.mediaType }) };
  }
  if (file === null)
    throw new DomainError(
      'invalid_request',
      'send the document as the body, or in a form as a file named file',
    );
  if (file.raw.bytes === 0) throw new DomainError('invalid_request', 'the document has no bytes');
  return { ...fields, ...file };
};
