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
import { type ReadGate, ReadModelsBehind } from '../../ports/read-gate.ts';
import type { UnsweptFiles } from '../../ports/unswept-files.ts';
import { type Connectors, connectorOf } from './connector.ts';
import { type DocumentsDeps, openDocuments } from './documents.ts';
import type { Job, JobOutcome, RunJob } from './job.ts';

export interface IngestDeps extends DocumentsDeps {
  readonly execute: RetryingExecute;
  readonly connectors: Connectors;
  readonly unswept: Pick<UnsweptFiles, 'mark'>;
  readonly gate: ReadGate;
}

const POLICIES_MS = 30_000;
const SEARCHABLE_MS = 30_000;

/** Runs a job of any kind of data source: the steps before and after the work of its connector. */
export const createIngest =
  (deps: IngestDeps): RunJob =>
  async (job, signal) => {
    if (!(job.subject.kind in deps.connectors)) return noConnector(job);
    const connector = connectorOf(deps.connectors, job.subject.kind);
    await waitForPolicies(deps, job, signal);
    const { parameters, changedAt } = await currentParameters(deps, job.tenant, job.ingestionSettingId);
    const rulesChangedAt = Math.max(0, ...connector.contentParameters.map((key) => changedAt[key] ?? 0));
    // Due as soon as the job is over, whatever its end.
    await deps.unswept.mark(job.tenant, job.dataSourceId, 0);
    const documents = openDocuments(deps, job, connector.sourceType);
    const outcome = await connector.run({ job, parameters, rulesChangedAt, documents }, signal);
    if (outcome.kind !== 'completed') return outcome;
    // A job has succeeded when its documents are searchable. If projections are stuck, /readyz reports it.
    await deps.gate.reached(['catalog'], documents.written(), SEARCHABLE_MS, signal);
    const { counts, error } = outcome;
    return { kind: 'completed', counts, ...(error !== undefined && { error }) };
  };

const noConnector = ({ subject }: Job): JobOutcome => ({
  kind: 'failed',
  code: 'not_configured',
  error: { title: 'Not supported here', message: `this service has no connector for ${subject.kind}` },
});

/**
 * Waits until the read model includes every redaction policy that was written before this job was claimed. If it does
 * not catch up, nothing is read: the attempt fails, and the job is retried.
 */
const waitForPolicies = async (
  { execute, gate, redaction }: IngestDeps,
  job: Job,
  signal: AbortSignal,
): Promise<void> => {
  const found = await execute.load(dataSource, dataSourceStream(job.dataSourceId), job.tenant);
  const seen =
    found === null || (await gate.reached(['redaction_policy'], found.position, POLICIES_MS, signal));
  if (!seen) {
    throw new ReadModelsBehind('the redaction policies cannot be read: their read model does not catch up');
  }
  redaction.clearCache();
};

export interface CurrentParameters {
  readonly parameters: Parameters;
  /** When each parameter last changed, in Unix milliseconds; absent: it has its initial value. */
  readonly changedAt: { readonly [parameter: string]: number };
}

/** A setting with the time of the last change of each parameter. */
const settingWithChangeTimes = {
  category: ingestionSetting.category,
  initial: { setting: ingestionSetting.initial, changedAt: {} },
  evolve: (
    { setting, changedAt }: SettingWithChangeTimes,
    event: IngestionSettingEvent,
  ): SettingWithChangeTimes => ({
    setting: ingestionSetting.evolve(setting, event),
    changedAt: { ...changedAt, ...changesOf(setting, event) },
  }),
};
interface SettingWithChangeTimes {
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

/** The parameters of a job that begins now. */
export const currentParameters = async (
  { execute }: { readonly execute: Pick<Execute, 'load'> },
  tenant: string,
  ingestionSettingId: string,
): Promise<CurrentParameters> => {
  const found = await execute.load(
    settingWithChangeTimes,
    ingestionSettingStream(ingestionSettingId),
    tenant,
  );
  const { setting, changedAt } = found?.state ?? settingWithChangeTimes.initial;
  if (setting.status === 'none') throw new Error(`ingestion setting ${ingestionSettingId} is missing`);
  return { parameters: setting.parameters, changedAt };
};
