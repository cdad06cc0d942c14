import { dataSource } from '../../../domain/data-source/index.ts';
import {
  type IngestionSettingEvent,
  type IngestionSettingState,
  type Parameters,
  ingestionSetting,
  isSame,
} from '../../../domain/ingestion-setting/index.ts';
import type { Execute, RetryingExecute } from '../../event-sourcing/execute.ts';
import { dataSourceStream, ingestionSettingStream } from '../../event-sourcing/streams.ts';
import type { PurgeCatalog } from '../../ports/catalog.ts';
import { type ReadGate, ReadModelsBehind } from '../../ports/read-gate.ts';
import { type Connectors, ON_THEIR_WAY_MS, connectorOf, filesThatConnectorsKeep } from './connector.ts';
import { type DocumentsDeps, openDocuments } from './documents.ts';
import type { Job, JobOutcome, RunJob } from './job.ts';

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
    const rulesChangedAt = Math.max(0, ...connector.contentParameters.map((key) => changedAt[key] ?? 0));
    const documents = openDocuments(deps, job, connector.sourceType);
    const outcome = await connector.run({ job, parameters, rulesChangedAt, documents }, signal);
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
    assertLeaseHeld,
  }: Pick<Job, 'dataSourceId' | 'assertLeaseHeld'> & {
    /** Unix milliseconds: files that were written later stay. */
    readonly before: number;
  },
): Promise<void> => {
  const kept = await filesThatConnectorsKeep(connectors, dataSourceId);
  const keep = new Set([...kept, ...(await catalog.filesOf(dataSourceId))]);
  assertLeaseHeld();
  await files.sweep(dataSourceId, keep, before - (kept.size > 0 ? ON_THEIR_WAY_MS : 0));
};

export interface ParametersInForce {
  readonly parameters: Parameters;
  /** When each parameter was changed last, Unix milliseconds; absent: it is as it was created. */
  readonly changedAt: { readonly [parameter: string]: number };
}

/** A setting, and when each of its parameters was changed last. */
export const settingInForce = {
  category: ingestionSetting.category,
  initial: { setting: ingestionSetting.initial, changedAt: {} },
  evolve: ({ setting, changedAt }: SettingInForce, event: IngestionSettingEvent): SettingInForce => ({
    setting: ingestionSetting.evolve(setting, event),
    changedAt: { ...changedAt, ...changesOf(setting, event) },
  }),
};
interface SettingInForce {
  readonly setting: IngestionSettingState;
  readonly changedAt: { readonly [parameter: string]: number };
}

const changesOf = (
  before: IngestionSettingState,
  event: IngestionSettingEvent,
): { readonly [parameter: string]: number } => {
  if (event.type !== 'IngestionParametersChanged' || before.status === 'none') return {};
  const changed = Object.keys(event.parameters).filter(
    (key) => !isSame(event.parameters, before.parameters, key),
  );
  return Object.fromEntries(changed.map((key) => [key, event.at]));
};

/** What a job goes by, if it begins now. */
export const parametersInForce = async (
  { execute }: { readonly execute: Pick<Execute, 'load'> },
  tenant: string,
  ingestionSettingId: string,
): Promise<ParametersInForce> => {
  const found = await execute.load(settingInForce, ingestionSettingStream(ingestionSettingId), tenant);
  const { setting, changedAt } = found?.state ?? settingInForce.initial;
  if (setting.status === 'none') throw new Error(`ingestion setting ${ingestionSettingId} is missing`);
  return { parameters: setting.parameters, changedAt };
};
