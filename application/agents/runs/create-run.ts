import { DomainError } from '../../../domain/shared/domain-error.ts';
import { traceIdOf } from '../../../domain/trace-context.ts';
import { type Caller, ownIdempotencyKey } from '../../access/caller.ts';
import { agentThreadStream, derivedId, idempotencyStream } from '../../event-sourcing/streams.ts';
import { type Written, canonicalJson } from '../../event-sourcing/idempotent.ts';
import { type AdmitDeps, admitRun, type Queued, type RunIds } from './admit-run.ts';
import { fingerprintOf, keepBodies, keepFirstBodies } from './bodies.ts';
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
  /** The caller's key of idempotency. */
  key?: string,
) => Promise<Written<RunRecord>>;

/**
 * Admits a run, once for each key, tenant and principal. Repeated with the same key and request it is answered with the
 * run as it is by now, also where what is taken has become less since. A refused request frees its key.
 *
 * @throws DomainError idempotency_conflict for another request with the same key; what `mustBeRunnable` and `admitRun` throw
 */
export const createCreateRun =
  (deps: CreateRunDeps): CreateRun =>
  async (caller, request, key) => {
    if (key !== undefined) return createOnce(deps, caller, request, key);
    mustBeRunnable(deps.executors, request);
    const ids = { threadId: request.threadId ?? deps.ids.newId(), runId: deps.ids.newId() };
    const queued = await admitRun(deps, caller, request, ids, null);
    return queued === null ? answered(deps, caller, request, ids, false) : asQueued(caller, ids, queued);
  };

const createOnce = async (
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
    await keepFingerprint(deps, caller, request, ids, fingerprint);
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
 * What became of the request that holds the key: it has its run; it is under way, or was broken off, and the same request
 * goes on with it; or it came to nothing, and no run of it will ever be.
 */
const firstRequestOf = async (
  deps: CreateRunDeps,
  { tenant }: Caller,
  { threadId, runId }: RunIds,
  fingerprint: string,
): Promise<'answered' | 'under_way' | 'nothing'> => {
  const run = await loadRun(deps, tenant, runId);
  const texts = await deps.vault.read(tenant, agentThreadStream(threadId), [fingerprintOf(runId)]);
  const kept = texts?.get(fingerprintOf(runId));
  if (run.status === 'none' && kept === undefined) return 'nothing';
  if (kept !== undefined && kept !== fingerprint) {
    throw new DomainError(
      'idempotency_conflict',
      'this Idempotency-Key was used with another body: send a new key with a new request',
    );
  }
  return run.status === 'none' ? 'under_way' : 'answered';
};

/** Before the key is claimed: whoever finds it claimed has something to compare with. */
const keepFingerprint = async (
  deps: CreateRunDeps,
  caller: Caller,
  request: RunRequest,
  { threadId, runId }: RunIds,
  text: string,
): Promise<void> => {
  const { tenant } = caller;
  let keep = keepBodies;
  if (request.threadId !== undefined) await loadVisibleThread(deps, caller, threadId, request.principalId);
  else if ((await loadThread(deps, tenant, threadId)).status === 'none') keep = keepFirstBodies;
  await keep(deps, tenant, threadId, [{ id: fingerprintOf(runId), text }]);
};

/** From what was just written: nobody has to read it. */
const asQueued = (
  { context }: Caller,
  { runId }: RunIds,
  { run, position, kept, title }: Queued,
): Written<RunRecord> => ({
  record: {
    ...run,
    ...kept,
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
