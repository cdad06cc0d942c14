import { type AgentRun, agentRun, noSuchRun } from '../../../domain/agent-run/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { traceIdOf } from '../../../domain/trace-context.ts';
import type { Caller } from '../../access/caller.ts';
import { readMetadata } from '../../event-sourcing/event-codec.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Position } from '../../ports/event-store.ts';
import { agentRunStream } from '../../event-sourcing/streams.ts';
import { type BodyDeps, readBodies, requestOf, titleOf } from './bodies.ts';
import { failureMessage } from './failure-message.ts';
import { loadVisibleRun } from './context.ts';
import { type StoredRequest, parseRequest, textOfRequest } from './messages.ts';

/** A run with the stored texts of its bodies. */
export interface RunRecord extends AgentRun, StoredRequest {
  readonly runId: string;
  readonly title: string | null;
  /** Id of the trace in which the run was requested; null when there was no valid one. */
  readonly traceId: string | null;
  /** Names in snake_case; null when there is none. */
  readonly resultBody: unknown;
  readonly errorMessage: string | null;
}

export interface ReadRecordDeps extends Pick<BodyDeps, 'vault'> {
  readonly execute: Pick<Execute, 'load' | 'history'>;
}

export type ReadRun = (
  caller: Caller,
  id: string,
  principalId: string | null,
) => Promise<{ readonly record: RunRecord; readonly position: Position }>;

export const createReadRun =
  (deps: ReadRecordDeps): ReadRun =>
  (caller, id, principalId) =>
    readRecord(deps, caller, id, principalId);

/**
 * Reads a run from its own stream, so that it includes every earlier write.
 *
 * @throws DomainError not_found unless the run exists, belongs to this principal and is within the key's reach;
 *   not_configured without a master key
 */
export const readRecord = async (
  deps: ReadRecordDeps,
  caller: Caller,
  id: string,
  principalId: string | null,
): Promise<{ readonly record: RunRecord; readonly position: Position }> => {
  const stream = agentRunStream(id);
  const { past } = caller;
  const execute = past?.streams ?? deps.execute;
  const [{ run: state, position }, first] = await Promise.all([
    loadVisibleRun({ execute }, caller, id, principalId),
    execute.history(agentRun, stream, caller.tenant, { from: 0n, limit: 1 }),
  ]);
  const texts = await readBodies(deps, caller.tenant, state.threadId, bodyIdsOf(id, state)).catch(
    (error: unknown): ReadonlyMap<string, string> => {
      if (past !== undefined && error instanceof DomainError && error.code === 'not_found') return new Map();
      throw error;
    },
  );
  const request = texts.get(requestOf(id)) ?? (past && ERASED_REQUEST);
  // In a restored backup, an event may refer to a text that was written after the vault was copied.
  if (request === undefined || first[0] === undefined) throw noSuchRun();
  const result = state.result && texts.get(state.result.bodyId);
  const storedMessage = state.error?.message && texts.get(state.error.message.bodyId);
  const record: RunRecord = {
    ...state,
    ...parseRequest(request),
    runId: id,
    title: texts.get(titleOf(id)) ?? null,
    traceId: traceIdOf(readMetadata(first[0].recorded.metadata).traceparent),
    resultBody: result === null || result === undefined ? null : JSON.parse(result),
    errorMessage: state.error && failureMessage(state.error, storedMessage ?? null),
  };
  return { record, position };
};

/** Of a run whose thread was deleted since. */
const ERASED_REQUEST = textOfRequest({ input: { messages: [] }, mcpSessionId: null, idempotencyKey: null });

const bodyIdsOf = (id: string, { result, error, titled }: AgentRun): readonly string[] => [
  requestOf(id),
  ...(titled ? [titleOf(id)] : []),
  ...(result === null ? [] : [result.bodyId]),
  ...(error === null || error.message === null ? [] : [error.message.bodyId]),
];
