import { DomainError } from '../../../domain/shared/domain-error.ts';
import { traceIdOf } from '../../../domain/trace-context.ts';
import { type Caller, ownIdempotencyKey } from '../../access/caller.ts';
import { agentThreadStream, derivedId, idempotencyStream } from '../../event-sourcing/streams.ts';
import { type Written, canonicalJson } from '../../event-sourcing/idempotent.ts';
import { type AdmitDeps, admitRun, type Queued, type RunIds } from './admit-run.ts';
import { fingerprintOf, storeBodies, storeFirstBodies } from './bodies.ts';
import { loadRun, loadThread, loadVisibleThread } from './context.ts';
import { readRecord, type RunRecord } from './read-run.ts';
import { agentRunKey } from '../../../domain/idempotency/agent-run-key.ts';
import { mustBeRunnable, type RunExecutors, type RunRequest } from './run-request.ts';

export interface CreateRunDeps extends AdmitDeps {
  readonly executors: RunExecutors;
}
export type CreateRun = (
  caller: Caller,
  request: RunRequest,
  /** The idempotency key of the caller. */
  key?: string,
) => Promise<Written<RunRecord>>;

/**
 * Creates a run; at most one per idempotency key, tenant and principal. A repeated request with the same key and body
 * returns the current state of the run, even if the service would no longer accept the request. A rejected request
 * releases its key.
 *
 * @throws DomainError idempotency_conflict when the key was used with another request; errors of `mustBeRunnable` and
 *   `admitRun`
 */
export const createCreateRun =
  (deps: CreateRunDeps): CreateRun =>
  async (caller, request, key) => {
    if (key !== undefined) return createIdempotently(deps, caller, request, key);
    mustBeRunnable(deps.executors, request);
    const ids = { threadId: request.threadId ?? deps.ids.newId(), runId: deps.ids.newId() };
    const queued = await admitRun(deps, caller, request, ids, null);
    return queued === null ? answered(deps, caller, request, ids, false) : asQueued(caller, ids, queued);
  };

const createIdempotently = async (
  deps: CreateRunDeps,
  caller: Caller,
  request: RunRequest,
  key: string,
): Promise<Written<RunRecord>> => {
  const { principalId } = request;
  const own = ownIdempotencyKey(caller, key) ?? key;
  const named = derivedId(deps.hash, 'agent-run', caller.tenant, JSON.stringify(principalId), own);
  const stream = idempotencyStream(named);
  const fingerprint = deps.hash.sha256(canonicalJson(request));
  for (;;) {
    const last = (await deps.execute.load(agentRunKey, stream, caller.tenant))?.state ?? null;
    const held = last === null || last.holders === 0 ? null : last;
    const first = held && (await firstRequestOf(deps, caller, held, fingerprint));
    if (held !== null && first === 'answered') return answered(deps, caller, request, held, true);
    mustBeRunnable(deps.executors, request);
    const ids =
      held !== null && first === 'under_way'
        ? { threadId: held.threadId, runId: held.runId }
        : { threadId: request.threadId ?? deps.ids.newId(), runId: deps.ids.newId() };
    await storeFingerprint(deps, caller, request, ids, fingerprint);
    const command = { type: 'claim', ...ids, insteadOf: held?.runId ?? null, at: deps.clock.now() } as const;
    const { state } = await deps.execute(agentRunKey, stream, command, caller.context);
    if (state?.runId !== ids.runId) {
      if (request.threadId === undefined)
        await deps.vault.destroy(caller.tenant, agentThreadStream(ids.threadId));
      continue;
    }
    let queued: Queued | null;
    try {
      queued = await admitRun(deps, caller, request, ids, key);
    } catch (error) {
      if (error instanceof DomainError && error.code !== 'unavailable') {
        const release = { type: 'release', runId: ids.runId, at: deps.clock.now() } as const;
        await deps.execute(agentRunKey, stream, release, caller.context);
      }
      throw error;
    }
    return queued === null || first === 'under_way'
      ? answered(deps, caller, request, ids, first === 'under_way')
      : asQueued(caller, ids, queued);
  }
};

/**
 * The state of the request that holds the key: `answered` when its run exists; `under_way` when it is still running or
 * was interrupted, so that the same request continues it; `nothing` when it failed and will never create a run.
 */
const firstRequestOf = async (
  deps: CreateRunDeps,
  { tenant }: Caller,
  { threadId, runId }: RunIds,
  fingerprint: string,
): Promise<'answered' | 'under_way' | 'nothing'> => {
  const run = await loadRun(deps, tenant, runId);
  const texts = await deps.vault.read(tenant, agentThreadStream(threadId), [fingerprintOf(runId)]);
  const stored = texts?.get(fingerprintOf(runId));
  if (run.status === 'none' && stored === undefined) return 'nothing';
  if (stored !== undefined && stored !== fingerprint) {
    throw new DomainError(
      'idempotency_conflict',
      'this Idempotency-Key was used with another body: send a new key with a new request',
    );
  }
  return run.status === 'none' ? 'under_way' : 'answered';
};

/** Stores the fingerprint before the key is claimed, so that other requests can compare theirs with it. */
const storeFingerprint = async (
  deps: CreateRunDeps,
  caller: Caller,
  request: RunRequest,
  { threadId, runId }: RunIds,
  text: string,
): Promise<void> => {
  const { tenant } = caller;
  let keep = storeBodies;
  if (request.threadId !== undefined) await loadVisibleThread(deps, caller, threadId, request.principalId);
  else if ((await loadThread(deps, tenant, threadId)).status === 'none') keep = storeFirstBodies;
  await keep(deps, tenant, threadId, [{ id: fingerprintOf(runId), text }]);
};

/** Builds the response from the events just written, without a read. */
const asQueued = (
  { context }: Caller,
  { runId }: RunIds,
  { run, position, stored, title }: Queued,
): Written<RunRecord> => ({
  record: {
    ...run,
    ...stored,
    runId,
    title,
    traceId: traceIdOf(context.traceparent),
    resultBody: null,
    errorMessage: null,
  },
  position,
  changed: true,
  replayed: false,
});

const answered = async (
  deps: CreateRunDeps,
  caller: Caller,
  { principalId }: RunRequest,
  { runId }: RunIds,
  replayed: boolean,
): Promise<Written<RunRecord>> => {
  const { record, position } = await readRecord(deps, caller, runId, principalId);
  return { record, position, changed: !replayed, replayed };
};
