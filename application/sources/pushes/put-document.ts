import { type ExistingDataSource, mustTakeDocuments } from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { source } from '../../../domain/source/decider.ts';
import type { Caller } from '../../access/caller.ts';
import { derivedId, sourceStream } from '../../event-sourcing/streams.ts';
import type { ReadOutcome } from '../ingestion/read-documents.ts';
import type { Position } from '../../ports/event-store.ts';
import type { SourceRecord } from '../../ports/catalog.ts';
import { type UploadArea, type UploadDeps, type UploadPart, withUploadArea } from '../uploads/upload-area.ts';
import type { Written } from '../../event-sourcing/idempotent.ts';
import { type DocumentFields, mustBeLocator } from './document-fields.ts';
import { type HeldPush, type HoldPush, loadPush } from './hold-push.ts';
import { loadPushed, remainingWork, recordOf, recordPushed } from './record-document.ts';
import {
  type PushedDocument,
  type ReadPushedDeps,
  pushedDocument,
  readPushed,
  receiveDocument,
} from './read-document.ts';
import { reconcileLostPush, recordReport, type ReportDeps } from './report.ts';

export interface PutDocumentDeps extends UploadDeps, ReadPushedDeps, ReportDeps {
  readonly hold: HoldPush;
}

/** A document under way into its push. */
interface Putting {
  readonly caller: Caller;
  readonly id: string;
  readonly sourceId: string;
  readonly upload: UploadArea;
  readonly document: PushedDocument;
  readonly fields: DocumentFields;
}

const NEVER = new AbortController().signal;

/**
 * Puts a document into a push, or a new version of it. Its bytes wait in an area of their own while they come and are
 * read; then it is recorded, in turn with all else that is reported of this push. What is there already, byte for byte and
 * word for word, changes nothing.
 *
 * @throws DomainError invalid_request, unsupported_media_type, not_found, conflict, source_deleting; what `parts` throws
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
    // Before anything is sent in vain.
    mustTakeDocuments(await loadPush(deps, caller, id));
    const sourceId = derivedId(deps.hash, 'source', id, locator);
    return withUploadArea(deps, { id: deps.ids.newId(), tenant: caller.tenant }, async (upload) => {
      const received = await receiveDocument(upload.area, parts, given);
      const document = pushedDocument(deps, { locator, sourceId }, received);
      const written = await put(deps, { caller, id, sourceId, upload, document, fields: received });
      await deps.files.remove(upload.id);
      return written;
    });
  };
export type PutDocument = ReturnType<typeof createPutDocument>;

/** Reads before it has its turn, as that takes long; and again only where others have changed what it went by. */
const put = async (deps: PutDocumentDeps, putting: Putting): Promise<Written<SourceRecord>> => {
  const { caller, id, document, upload } = putting;
  let read: ReadOutcome | null = null;
  for (;;) {
    const state = await loadPush(deps, caller, id);
    if (read === null && (await remainingWork(deps, id, state, document)) === 'reading') {
      const { tenant, context } = caller;
      const reading = { dataSourceId: id, areaId: upload.id, tenant, assertLeaseHeld: () => {} };
      read = await readPushed(deps, reading, document, context.signal ?? NEVER);
    }
    await upload.assertLeaseHeld();
    const written = await deps.hold(caller, id, (held) => record(deps, putting, held, read));
    if (written !== null) return written;
  }
};

/** Null: it has to be read first. */
const record = async (
  deps: PutDocumentDeps,
  { caller, id, sourceId, upload, document, fields }: Putting,
  held: HeldPush,
  read: ReadOutcome | null,
): Promise<Written<SourceRecord> | null> => {
  const { context } = caller;
  mustTakeDocuments(held.state);
  await mustNotBeTakenOut(deps, caller, sourceId, held.state);
  const remaining = await remainingWork(deps, id, held.state, document);
  if (remaining === 'reading' && read === null) return null;
  const state = await reconcileLostPush(deps, context, id, held.state);
  const positions: (Position | null)[] = [];
  if (remaining !== 'nothing') {
    held.assertLeaseHeld();
    if (remaining === 'reading') await deps.files.move(upload.id, id);
    const { assertLeaseHeld } = held;
    positions.push(await recordPushed(deps, caller, { id, state, document, read, assertLeaseHeld }));
  }
  if (fields.metadata !== undefined) {
    const command = { type: 'replace_metadata', records: fields.metadata, at: deps.clock.now() } as const;
    const done = await deps.execute(source, sourceStream(sourceId), command, context);
    if (done.events.length > 0) positions.push(done.position);
  }
  positions.push(await recordReport(deps, context, id, state));
  const row = await loadPushed(deps.execute, caller.tenant, sourceId);
  if (row === null) throw new DomainError('conflict', 'the document was taken out meanwhile: try again');
  const position = positions
    .filter((one) => one !== null)
    .toSorted()
    .at(-1);
  return { record: recordOf(row), position: position ?? '', changed: position !== undefined };
};

/** What a caller took out comes back with a later job, as with every other source. */
const mustNotBeTakenOut = async (
  { execute }: PutDocumentDeps,
  { tenant }: Caller,
  sourceId: string,
  { job }: ExistingDataSource,
): Promise<void> => {
  const found = await execute.load(source, sourceStream(sourceId), tenant);
  const state = found?.state;
  if (state?.status === 'removed' && state.generation > job.generation)
    throw new DomainError(
      'conflict',
      'this document was taken out by DELETE /sources/{id}: it may come back with the next job of this push',
    );
};
