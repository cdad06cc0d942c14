import { type ExistingDataSource, mustTakeDocuments } from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { source } from '../../../domain/source/decider.ts';
import type { Caller } from '../../access/caller.ts';
import { derivedId, sourceStream } from '../../event-sourcing/streams.ts';
import type { ReadOutcome } from '../ingestion/read-documents.ts';
import type { Position } from '../../ports/event-store.ts';
import type { UnsweptFiles } from '../../ports/unswept-files.ts';
import type { SourceRecord } from '../../ports/catalog.ts';
import { type UploadArea, type UploadDeps, type UploadPart, withUploadArea } from '../uploads/upload-area.ts';
import type { Written } from '../../event-sourcing/idempotent.ts';
import { type DocumentFields, mustBeLocator } from './document-fields.ts';
import { type LockedPush, type LockPush, loadPush } from './lock-push.ts';
import {
  type StoredDocument,
  loadPushed,
  recordOf,
  recordPushed,
  remainingWork,
  rowIn,
} from './record-document.ts';
import {
  type PushedDocument,
  type ReadPushedDeps,
  pushedDocument,
  readPushed,
  receiveDocument,
} from './read-document.ts';
import { reconcileLostPush, recordReport, type ReportDeps } from './report.ts';

export interface PutDocumentDeps extends UploadDeps, ReadPushedDeps, ReportDeps {
  readonly lockPush: LockPush;
  readonly unswept: Pick<UnsweptFiles, 'mark'>;
}

/** A document that is being pushed. */
interface PendingPut {
  readonly caller: Caller;
  readonly id: string;
  /** Of the push, before the bytes arrived. */
  readonly state: ExistingDataSource;
  readonly sourceId: string;
  readonly upload: UploadArea;
  readonly document: PushedDocument;
  readonly fields: DocumentFields;
}

/** A sweep looks at all files of the push: many replacements share one. */
const SWEPT_IN_MS = 60_000;
const NEVER = new AbortController().signal;

/**
 * Puts a document, or a new version of it, into a push. The bytes arrive and are read in an area of their own. Then the
 * document is recorded under the lock of the push. Identical bytes and fields change nothing.
 *
 * @throws DomainError invalid_request, unsupported_media_type, not_found, conflict, source_deleting; what `parts`
 * throws
 */
export const createPutDocument =
  (deps: PutDocumentDeps) =>
  async (
    caller: Caller,
    id: string,
    locator: string,
    parts: AsyncIterable<UploadPart>,
    given: DocumentFields,
  ): Promise<Written<SourceRecord>> => {
    mustBeLocator(locator);
    // Refuse before the client sends the bytes.
    const state = await loadPush(deps, caller, id);
    mustTakeDocuments(state);
    const sourceId = derivedId(deps.hash, 'source', id, locator);
    return withUploadArea(deps, { id: deps.ids.newId(), tenant: caller.tenant }, async (upload) => {
      const received = await receiveDocument(upload.area, parts, given);
      const document = pushedDocument(deps, { locator, sourceId }, received);
      const written = await put(deps, { caller, id, state, sourceId, upload, document, fields: received });
      await deps.files.remove(upload.id);
      return written;
    });
  };
export type PutDocument = ReturnType<typeof createPutDocument>;

/**
 * Reads before it takes the lock, because reading is slow; repeats that only if another writer has changed the state it
 * relied on.
 */
const put = async (deps: PutDocumentDeps, putting: PendingPut): Promise<Written<SourceRecord>> => {
  const { caller, id, document, upload } = putting;
  let read: ReadOutcome | null = null;
  for (let state = putting.state; ; state = await loadPush(deps, caller, id)) {
    if (read === null && (await remainingWork(deps, id, state, document)).work === 'reading') {
      const { tenant, context } = caller;
      const reading = { dataSourceId: id, areaId: upload.id, tenant, assertLeaseHeld: () => {} };
      read = await readPushed(deps, reading, document, context.signal ?? NEVER);
    }
    await upload.assertLeaseHeld();
    const written = await deps.lockPush(caller, id, (held) => record(deps, putting, held, read), true);
    if (written !== null) return written;
  }
};

/** Returns null if the document has to be read first. */
const record = async (
  deps: PutDocumentDeps,
  { caller, id, sourceId, upload, document, fields }: PendingPut,
  held: LockedPush,
  read: ReadOutcome | null,
): Promise<Written<SourceRecord> | null> => {
  const { context } = caller;
  mustTakeDocuments(held.state);
  let stored = await loadPushed(deps.execute, caller.tenant, sourceId);
  mustNotBeRemoved(stored, held.state);
  const { work: remaining, known } = await remainingWork(deps, id, held.state, document);
  if (remaining === 'reading' && read === null) return null;
  const state = await reconcileLostPush(deps, context, id, held.state);
  const positions: (Position | null)[] = [];
  if (remaining !== 'nothing') {
    held.assertLeaseHeld();
    if (remaining === 'reading') {
      await deps.unswept.mark(caller.tenant, id, SWEPT_IN_MS);
      await deps.files.move(upload.id, id);
    }
    const { assertLeaseHeld } = held;
    const version = { id, state, document, known, read, stored, assertLeaseHeld };
    const recorded = await recordPushed(deps, caller, version);
    positions.push(recorded.position);
    stored = recorded.stored;
  }
  if (fields.metadata !== undefined) {
    const command = { type: 'replace_metadata', records: fields.metadata, at: deps.clock.now() } as const;
    const done = await deps.execute(source, sourceStream(sourceId), command, context);
    if (done.events.length > 0) {
      positions.push(done.position);
      stored = await loadPushed(deps.execute, caller.tenant, sourceId);
    }
  }
  positions.push(await recordReport(deps, context, id, state));
  const row = rowIn(stored, caller.tenant, sourceId);
  if (row === null) throw new DomainError('conflict', 'the document was removed meanwhile: try again');
  const position = positions
    .filter((one) => one !== null)
    .toSorted()
    .at(-1);
  return { record: recordOf(row), position: position ?? '', changed: position !== undefined };
};

/** A document removed by a caller returns only with a later job, as for every other source. */
const mustNotBeRemoved = ({ state }: StoredDocument, { job }: ExistingDataSource): void => {
  if (state.source.status === 'removed' && state.source.generation > job.generation)
    throw new DomainError(
      'conflict',
      'this document was removed by DELETE /sources/{id}: it can be pushed again in the next job of this push',
    );
};
