import {
  type AgentRunEvent,
  type BodyRef,
  type Emission,
  RUN_STATUS_AFTER,
  type RunStatus,
} from '../../../domain/agent-run/index.ts';
import { snakeKeys } from '../../../domain/shared/key-case.ts';
import { traceIdOf } from '../../../domain/trace-context.ts';
import { redactData } from '../../answers/extract/extraction.ts';
import { readMetadata } from '../../event-sourcing/event-codec.ts';
import type { PastEvent } from '../../event-sourcing/load.ts';
import type { Position } from '../../ports/event-store.ts';
import type { CompiledRules } from '../../redaction/redactor.ts';
import { type BodyDeps, readBodies, redactJson, requestOf, titleOf } from './bodies.ts';
import { failureMessage } from './failure-message.ts';
import { redactMessage } from './messages.ts';
import type { RunEvent } from './run-executor.ts';

/** An event of a run with its body. */
export interface RunEventView {
  readonly runId: string;
  readonly threadId: string;
  readonly parentRunId: string | null;
  /** Revision in the run's stream: from 0, without gaps. */
  readonly revision: bigint;
  /** Position in the log. */
  readonly position: Position;
  readonly event: AgentRunEvent;
  readonly status: RunStatus;
  /** The stored event without its type. */
  readonly data: object;
  /** The body from the vault, with names in snake_case; null when the event has none. */
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly traceId: string | null;
}

export type PastRunEvent = PastEvent<AgentRunEvent>;
/** The ids of a run that its event views include. */
export interface RunIdentity {
  readonly runId: string;
  readonly threadId: string;
  readonly parentRunId: string | null;
}

/**
 * Adds the bodies to events of one run; keeps the order.
 *
 * @throws DomainError not_found when the key of the thread was destroyed
 */
export const viewEvents = async (
  deps: Pick<BodyDeps, 'vault'>,
  tenant: string,
  run: RunIdentity,
  past: readonly PastRunEvent[],
): Promise<readonly RunEventView[]> => {
  const ids = past.flatMap(({ event }) => bodyIdsOf(run.runId, event));
  const texts =
    ids.length === 0 ? new Map<string, string>() : await readBodies(deps, tenant, run.threadId, ids);
  return past.map(({ event, recorded }) => {
    const { type: _, ...facts } = event;
    return {
      ...run,
      revision: recorded.revision,
      position: recorded.position,
      event,
      status: RUN_STATUS_AFTER[event.type],
      data: snakeKeys(facts) as object,
      body: bodyOf(run.runId, event, texts),
      traceId: traceIdOf(readMetadata(recorded.metadata).traceparent),
    };
  });
};

const bodyIdsOf = (runId: string, event: AgentRunEvent): readonly string[] => {
  const named = (...refs: readonly (BodyRef | null)[]) =>
    refs.flatMap((ref) => (ref === null ? [] : [ref.bodyId]));
  switch (event.type) {
    case 'RunQueued':
      return [requestOf(runId), ...(event.titled ? [titleOf(runId)] : [])];
    case 'RunHandedOver':
      return named(event.request);
    case 'RunEmitted':
      return named(event.body);
    case 'RunSucceeded':
      return named(event.result, event.messages);
    case 'RunFailed':
    case 'RunCancelled':
      return named(event.message);
    case 'RunStarted':
    case 'RunCancelRequested':
      return [];
  }
};

const bodyOf = (
  runId: string,
  event: AgentRunEvent,
  texts: ReadonlyMap<string, string>,
): RunEventView['body'] => {
  const json = (id: string): unknown => JSON.parse(texts.get(id) ?? 'null');
  switch (event.type) {
    case 'RunQueued': {
      const { input } = (json(requestOf(runId)) ?? {}) as { input?: unknown };
      const title = texts.get(titleOf(runId));
      return { input: input ?? null, ...(title !== undefined && { title }) };
    }
    case 'RunHandedOver':
      return { request: json(event.request.bodyId) };
    case 'RunEmitted':
      return event.body && (json(event.body.bodyId) as RunEventView['body']);
    case 'RunSucceeded':
      return { result: json(event.result.bodyId), messages: json(event.messages.bodyId) };
    case 'RunFailed':
    case 'RunCancelled': {
      const storedMessage = event.message && texts.get(event.message.bodyId);
      return event.code === null
        ? null
        : { message: failureMessage({ ...event, code: event.code }, storedMessage ?? null) };
    }
    case 'RunStarted':
    case 'RunCancelRequested':
      return null;
  }
};

/** The stored form of a run event: the facts for the event, and the text of its body. */
export interface StoredEmission {
  readonly emission: Emission;
  readonly body: string | null;
}
/** All events except pieces of texts, which are collected, and the hand-over, which has its own event type. */
export type BodyEvent = Exclude<RunEvent, { kind: 'text' | 'reasoning' | 'handed_over' }>;

/** Copies field by field, so that no part of a body gets into an event. */
export const emissionOf = (event: BodyEvent, rules: CompiledRules): StoredEmission => {
  const json = (value: unknown): string => JSON.stringify(redactData(value, rules));
  switch (event.kind) {
    case 'step':
      return { emission: { kind: 'step', step: event.step }, body: null };
    case 'model_called': {
      const { kind, step, model, messageCount, request } = event;
      return { emission: { kind, step, model, messageCount }, body: json({ request }) };
    }
    case 'model_answered': {
      const { kind, step, model, usage, finishReason } = event;
      const counted = usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens };
      const message = snakeKeys(redactMessage(event.message, rules));
      return {
        emission: { kind, step, model, usage: counted, finishReason },
        body: JSON.stringify({ message }),
      };
    }
    case 'tool_called': {
      const { kind, step, callId, tool, readOnly } = event;
      const body = JSON.stringify({ arguments: redactJson(event.arguments, rules) });
      return { emission: { kind, step, callId, tool, readOnly }, body };
    }
    case 'tool_answered': {
      const { kind, step, callId, isError, truncated, result, structured } = event;
      const content = redactJson(result, rules);
      const message = { role: 'tool', tool_call_id: callId, content };
      const more = structured === undefined ? {} : { structured: redactData(structured, rules) };
      return {
        emission: { kind, step, callId, isError, truncated },
        body: JSON.stringify({ message, ...more }),
      };
    }
    case 'citations':
      return { emission: { kind: 'citations', contentIds: event.contentIds }, body: null };
    case 'note':
      return { emission: { kind: 'note', code: event.code }, body: json({ message: event.message }) };
  }
};
