import { type AgentRun, agentRun, isOver } from '../../../domain/agent-run/index.ts';
import {
  agentThread,
  noSuchThread,
  type RunAdmitted,
  type AdmitRun,
} from '../../../domain/agent-thread/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../../access/caller.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Clock, IdSource } from '../../ports/identity.ts';
import type { Position } from '../../ports/event-store.ts';
import type { VaultText } from '../../ports/vault.ts';
import { agentRunStream, agentThreadStream } from '../../event-sourcing/streams.ts';
import {
  type BodyDeps,
  storeBodies,
  storeFirstBodies,
  type RulesFor,
  newSalt,
  requestOf,
  saltOf,
  titleOf,
} from './bodies.ts';
import { loadRun, loadThread, loadVisibleThread, mustReachThread } from './context.ts';
import { type StoredRequest, redactInput, textOfRequest } from './messages.ts';
import type { RunRequest } from './run-request.ts';
import { redactData } from '../../answers/extract/extraction.ts';

/** The stored parts of a request, redacted by the tenant's policies. */
interface RedactedRequest {
  readonly stored: StoredRequest;
  readonly title: string | null;
  /** The same data as texts for the vault. */
  readonly bodies: readonly VaultText[];
}

const bodiesOf = async (
  deps: { readonly ids: IdSource; readonly rulesFor: RulesFor },
  caller: Caller,
  { input, mcpSessionId, title }: RunRequest,
  runId: string,
  idempotencyKey: string | null,
): Promise<RedactedRequest> => {
  const rules = await deps.rulesFor(caller.tenant);
  const stored = { input: redactInput(input, rules), mcpSessionId, idempotencyKey };
  const hidden = title === null ? null : (redactData(title, rules) as string);
  const bodies = [
    { id: requestOf(runId), text: textOfRequest(stored) },
    { id: saltOf(runId), text: newSalt(deps.ids) },
    ...(hidden === null ? [] : [{ id: titleOf(runId), text: hidden }]),
  ];
  return { stored, title: hidden, bodies };
};

const commandOf = (
  { clock }: { readonly clock: Clock },
  { id: keyId, grant }: Caller,
  request: RunRequest,
  runId: string,
  ended: readonly string[],
): AdmitRun => ({
  type: 'admit',
  runId,
  starts: request.threadId === undefined,
  ...(request.parentRunId !== undefined && { parentRunId: request.parentRunId }),
  concurrency: request.concurrency,
  ended,
  principalId: request.principalId,
  workflowType: request.workflowType,
  provider: request.provider,
  executionMode: request.executionMode,
  runtimeArn: request.runtimeArn,
  inputHistoryMode: request.inputHistoryMode,
  keyId,
  scopes: grant.scopes,
  sourceGroupIds: grant.sourceGroupIds,
  authzPolicy: request.authzPolicy ?? null,
  titled: request.title !== null,
  at: clock.now(),
});

export interface AdmitDeps extends BodyDeps {
  readonly execute: Execute;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly rulesFor: RulesFor;
}

/** Ids of a thread and a run, created before the command. */
export interface RunIds {
  readonly threadId: string;
  readonly runId: string;
}

/** A run that has just been queued, with the stored parts of its request. */
export interface Queued {
  readonly run: AgentRun;
  /** Position of the admission. A view that has reached it shows the current state of the run. */
  readonly position: Position;
  readonly stored: StoredRequest;
  readonly title: string | null;
}

/**
 * Admits the run to its thread, which makes it pending, and starts the run's own stream. Stores the bodies first.
 * Idempotent for the same ids. A rejected request leaves no bodies behind.
 *
 * @returns the run as it has just been queued; null if it had been queued before and may have ended since
 * @throws DomainError not_found when the caller may not see the thread, or the parent is not in it; thread_busy;
 *   not_configured without a master key
 */
export const admitRun = async (
  deps: AdmitDeps,
  caller: Caller,
  request: RunRequest,
  ids: RunIds,
  idempotencyKey: string | null,
): Promise<Queued | null> => {
  const { threadId, runId } = ids;
  const stream = agentThreadStream(threadId);
  const starts = request.threadId === undefined;
  const ended = starts ? [] : await endedIn(deps, caller, request, threadId);
  const { stored, title, bodies } = await bodiesOf(deps, caller, request, runId, idempotencyKey);
  await (starts ? storeFirstBodies : storeBodies)(deps, caller.tenant, threadId, bodies);
  const command = commandOf(deps, caller, request, runId, ended);
  const done = await deps
    .execute(agentThread, stream, command, caller.context, {
      guard: mustReachThread(caller),
      probablyNew: starts,
    })
    .catch(async (error: unknown) => {
      // Another request with the same key may have been admitted with these bodies: the vault sweep decides about
      // them.
      if (error instanceof DomainError && idempotencyKey === null)
        await discardBodies(deps, caller, threadId, bodies);
      throw error;
    });
  const admitted = done.events.find((event) => event.type === 'RunAdmitted');
  const queued = await queue(
    deps,
    caller,
    ids,
    admitted ?? (await earlierAdmission(deps, caller.tenant, ids)),
  );
  const { state, events } = queued;
  const { position } = done;
  return events.length === 0 || state.status === 'none' ? null : { run: state, position, stored, title };
};

/** The unsettled runs of the thread that have ended: the end of a run is not written to the stream of its thread. */
const endedIn = async (
  deps: AdmitDeps,
  caller: Caller,
  { principalId, parentRunId }: RunRequest,
  threadId: string,
): Promise<readonly string[]> => {
  const thread = await loadVisibleThread(deps, caller, threadId, principalId);
  if (typeof parentRunId === 'string' && parentRunId !== thread.newestRunId) {
    const parent = await loadRun(deps, caller.tenant, parentRunId);
    if (parent.status === 'none' || parent.threadId !== threadId)
      throw new DomainError('not_found', 'there is no such run in the thread');
  }
  const states = await Promise.all(thread.unsettled.map((id) => loadRun(deps, caller.tenant, id)));
  return thread.unsettled.filter((_, i) => {
    const { status } = states[i]!;
    return status !== 'none' && isOver(status);
  });
};

/** Queues an admitted run without the caller's abort signal: the client may have disconnected. */
const queue = async (
  { execute }: AdmitDeps,
  { context }: Caller,
  { threadId, runId }: RunIds,
  admitted: RunAdmitted,
) => {
  const { type: _, runId: _id, ended: _ended, ...facts } = admitted;
  const { signal: _gone, ...unhurried } = context;
  const command = { ...facts, type: 'queue', threadId } as const;
  return execute(agentRun, agentRunStream(runId), command, unhurried, { probablyNew: true });
};

/** The admission of a run by an earlier, interrupted request with the same idempotency key. */
const earlierAdmission = async (
  { execute }: AdmitDeps,
  tenant: string,
  { threadId, runId }: RunIds,
): Promise<RunAdmitted> => {
  const past = await execute.history(agentThread, agentThreadStream(threadId), tenant);
  for (const { event } of past.toReversed())
    if (event.type === 'RunAdmitted' && event.runId === runId) return event;
  throw noSuchThread();
};

/**
 * Deletes the bodies. If the thread never started, destroys its key as well; otherwise other runs still need the key.
 */
const discardBodies = async (
  deps: AdmitDeps,
  { tenant }: Caller,
  threadId: string,
  bodies: readonly VaultText[],
): Promise<void> => {
  const owner = agentThreadStream(threadId);
  const { status } = await loadThread(deps, tenant, threadId);
  if (status !== 'open') return deps.vault.destroy(tenant, owner);
  await deps.vault.forget(
    tenant,
    owner,
    bodies.map(({ id }) => id),
  );
};
