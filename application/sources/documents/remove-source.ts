import { dataSource } from '../../../domain/data-source/index.ts';
import { source, type SourceState } from '../../../domain/source/index.ts';
import type { Caller } from '../../access/caller.ts';
import type { Written } from '../../event-sourcing/written.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { type Connectors, forgetDocument } from '../ingestion/connector.ts';
import type { SourceRecord } from '../../ports/catalog.ts';
import type { Clock } from '../../ports/identity.ts';
import type { Withheld } from '../../ports/read-your-writes.ts';
import { dataSourceStream, sourceStream } from '../../event-sourcing/streams.ts';

export interface RemoveSourceDeps {
  readonly execute: Execute;
  readonly connectors: Connectors;
  readonly withheld: Pick<Withheld, 'withholdSource'>;
  readonly clock: Clock;
}

/**
 * Takes one document out. When this resolves, no read that begins then shows it; its bytes follow, see `erase-removed`.
 * A job that begins later and finds the document stores it as a new one; a job that is under way does not.
 *
 * What is known of its page is forgotten first: after a crash at any point, a later job reads the page afresh.
 */
export const removeSource = async (
  deps: RemoveSourceDeps,
  caller: Caller,
  record: SourceRecord,
): Promise<Written<SourceRecord>> => {
  const { id: sourceId, sourceGroupId: dataSourceId } = record;
  const { tenant, context } = caller;
  const generation = await nextGeneration(deps, tenant, dataSourceId);
  await forgetDocument(deps.connectors, { dataSourceId, generation }, sourceId);
  let files: readonly string[] = [];
  const note = (before: SourceState): void => {
    const content = before.status === 'none' ? null : before.content;
    files = content === null ? [] : [content.raw, content.chunkSet];
  };
  const command = {
    type: 'remove',
    reason: 'requested',
    jobId: '',
    generation,
    at: deps.clock.now(),
  } as const;
  const done = await deps.execute(source, sourceStream(sourceId), command, context, { guard: note });
  const { position, events } = done;
  const revision = done.revision as bigint;
  await deps.withheld.withholdSource({
    sourceId,
    dataSourceId,
    tenant,
    revision,
    generation,
    position,
    files,
  });
  return { record, position, changed: events.length > 0 };
};

/** The number of the next job of the data source. */
const nextGeneration = async (
  { execute }: RemoveSourceDeps,
  tenant: string,
  dataSourceId: string,
): Promise<number> => {
  const state = (await execute.load(dataSource, dataSourceStream(dataSourceId), tenant))?.state;
  return state === undefined || state.status === 'none' ? 1 : state.job.generation + 1;
};
