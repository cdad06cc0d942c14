import { mustTakeDocuments } from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { source } from '../../../domain/source/decider.ts';
import type { Caller } from '../../access/caller.ts';
import { derivedId, sourceStream } from '../../event-sourcing/streams.ts';
import type { Hash } from '../../ports/identity.ts';
import type { SourceRecord } from '../../ports/catalog.ts';
import type { Tombstones } from '../../ports/read-your-writes.ts';
import type { Written } from '../../event-sourcing/idempotent.ts';
import type { LockPush } from './lock-push.ts';
import { mustBeLocator } from './document-fields.ts';
import { loadPushed, type PushedSourceRow, recordOf, rowIn } from './record-document.ts';
import { reconcileLostPush, recordReport, type ReportDeps, runOf } from './report.ts';

export interface RemoveDocumentDeps extends ReportDeps {
  readonly lockPush: LockPush;
  readonly hash: Hash;
  readonly tombstones: Pick<Tombstones, 'putSource'>;
}

/**
 * Removes a document from a push at the request of its executor. When it resolves, no new read shows the document;
 * `eraseRemoved` deletes its bytes later. Pushing the document again restores it.
 *
 * @returns the document before its removal
 * @throws DomainError invalid_request, not_found, conflict, source_deleting
 */
export const createRemoveDocument =
  (deps: RemoveDocumentDeps) =>
  async (caller: Caller, id: string, locator: string): Promise<Written<SourceRecord>> => {
    mustBeLocator(locator);
    const { execute, itemStore, clock, hash } = deps;
    const { tenant, context } = caller;
    return deps.lockPush(caller, id, async (held) => {
      mustTakeDocuments(held.state);
      const sourceId = derivedId(hash, 'source', id, locator);
      const row = rowIn(await loadPushed(execute, tenant, sourceId), tenant, sourceId);
      if (row === null) throw new DomainError('not_found', 'there is no such document in this push');
      const state = await reconcileLostPush(deps, context, id, held.state);
      held.assertLeaseHeld();
      const { jobId, generation } = state.job;
      const at = clock.now();
      const gone = { locator, outcome: 'gone', sourceId: null, fingerprint: null } as const;
      const visit = { ...gone, code: null, message: null, bytes: 0, at, attempt: state.job.attempt };
      // Before the fact: if the item store still knew a removed document, no job would read it again.
      await itemStore.commitVersion(runOf(id, state), locator, [visit]);
      const command = { type: 'remove', reason: 'gone', jobId, generation, at } as const;
      const done = await execute(source, sourceStream(row.id), command, context);
      if (done.events.length === 0)
        throw new DomainError('conflict', 'a newer job has changed this document');
      const { position } = done;
      const revision = done.revision as bigint;
      const mark = { sourceId: row.id, dataSourceId: id, tenant, revision, generation, position };
      await deps.tombstones.putSource({ ...mark, files: filesOf(row) });
      await recordReport(deps, context, id, state);
      return { record: recordOf(row), position, changed: true };
    });
  };
export type RemoveDocument = ReturnType<typeof createRemoveDocument>;

const filesOf = ({ indexed }: PushedSourceRow): readonly string[] =>
  indexed === null ? [] : [indexed.rawSha256, indexed.chunkSetSha256];
