import { dataSource } from '../../../domain/data-source/index.ts';
import type { RetryingExecute } from '../../event-sourcing/execute.ts';
import type { PurgeCatalog } from '../../ports/catalog.ts';
import { type ReadGate, ReadModelsBehind } from '../../ports/read-gate.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import type { Job, JobOutcome, RunJob } from './job.ts';
import { connectorOf, type Connectors, filesThatConnectorsKeep, ON_THEIR_WAY_MS } from './connector.ts';
import { type DocumentsDeps, openDocuments } from './documents.ts';
import { parametersInForce } from './parameters-in-force.ts';

export interface IngestDeps extends DocumentsDeps {
  readonly execute: RetryingExecute;
  readonly connectors: Connectors;
  readonly catalog: Pick<PurgeCatalog, 'filesOf'>;
  readonly gate: ReadGate;
}

export type SweepFilesDeps = Pick<IngestDeps, 'catalog' | 'files' | 'connectors'>;

const POLICIES_MS = 30_000;
const SEARCHABLE_MS = 30_000;

/** Runs a job of any kind of data source: what comes before and after the work of its connector. */
export const createIngest =
  (deps: IngestDeps): RunJob =>
  async (job, signal) => {
    if (!(job.subject.kind in deps.connectors)) return noConnector(job);
    const connector = connectorOf(deps.connectors, job.subject.kind);
    await policiesOfBefore(deps, job, signal);
    const { parameters, changedAt } = await parametersInForce(deps, job.tenant, job.ingestionSettingId);
    const judgedSince = Math.max(0, ...connector.judging.map((key) => changedAt[key] ?? 0));
    const documents = openDocuments(deps, job, connector.sourceType);
    const outcome = await connector.run({ job, parameters, judgedSince, documents }, signal);
    if (outcome.kind !== 'completed') return outcome;
    // A job has succeeded when a search finds what it stored. Where projections stand still, /readyz says so.
    const searchable = await deps.gate.reached(['catalog'], documents.written(), SEARCHABLE_MS, signal);
    if (outcome.complete && searchable) {
      await sweepFiles(deps, { ...job, before: job.state.claimedAt ?? 0 });
    }
    return { kind: 'completed', counts: outcome.counts };
  };

const noConnector = ({ subject }: Job): JobOutcome => ({
  kind: 'failed',
  code: 'not_configured',
  error: { title: 'Not supported here', message: `this service has no connector for ${subject.kind}` },
});

/**
 * Waits until the read model holds every redaction policy that was written before this job was claimed. Where it does
 * not get there nothing is read: the attempt breaks, and the job is tried again.
 */
const policiesOfBefore = async (
  { execute, gate, redaction }: IngestDeps,
  job: Job,
  signal: AbortSignal,
): Promise<void> => {
  const found = await execute.load(dataSource, dataSourceStream(job.dataSourceId), job.tenant);
  const seen =
    found === null || (await gate.reached(['redaction_policy'], found.position, POLICIES_MS, signal));
  if (!seen) {
    throw new ReadModelsBehind('the redaction policies cannot be read: their read model stays behind');
  }
  redaction.forget();
};

/**
 * Deletes the files that no readable document refers to any more: former versions, and what was left out. Only once
 * the catalog has followed, and nothing written since the attempt began: another batch may still be naming it.
 */
export const sweepFiles = async (
  { catalog, files, connectors }: SweepFilesDeps,
  {
    dataSourceId,
    before,
    stillOurs,
  }: Pick<Job, 'dataSourceId' | 'stillOurs'> & {
    /** Unix milliseconds: files that were written later stay. */
    readonly before: number;
  },
): Promise<void> => {
  const kept = await filesThatConnectorsKeep(connectors, dataSourceId);
  const keep = new Set([...kept, ...(await catalog.filesOf(dataSourceId))]);
  stillOurs();
  await files.sweep(dataSourceId, keep, before - (kept.size > 0 ? ON_THEIR_WAY_MS : 0));
};
