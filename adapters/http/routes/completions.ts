import type { Response } from 'express';
import type { Complete } from '../../../application/answers/completions/complete.ts';
import type { CompletionRequest } from '../../../application/answers/completions/completion.ts';
import { failureCode } from '../../../application/answers/completions/failure-code.ts';
import type { IdSource } from '../../../application/ports/identity.ts';
import type { Logger } from '../../../application/ports/logger.ts';
import { ok } from '../json-response.ts';
import { agUiEvents, type ReportedFailure } from '../completions/agui.ts';
import { completionRecord } from '../completions/completion-record.ts';
import { lastOf, sendAgUi, sendPlainText } from '../completions/send.ts';
import {
  ClientGone,
  EVENT_STREAM,
  type StreamDeps,
  orReason,
  prepareStream,
  reasonOr,
} from '../stream-response.ts';
import { problemOf } from '../error-response.ts';
import { requestContextOf } from '../begin-request.ts';
import { type AnyRoute, route, STREAMED } from '../route.ts';
import { AgUiEvent } from '../schemas/agui.ts';
import { Completion, CompletionCreate } from '../schemas/completion.ts';
import { filterOf } from './search.ts';

export interface CompletionRouteDeps extends Pick<StreamDeps, 'stop' | 'keepAliveMs'> {
  readonly complete: Complete;
  readonly ids: IdSource;
  readonly log: Logger;
}

export const completionRoutes = (deps: CompletionRouteDeps): readonly AnyRoute[] => [
  route({
    tag: 'completions',
    scope: 'inference:run',
    method: 'post',
    path: '/completions',
    operationId: 'createCompletion',
    summary: 'Answer a question from the contents, with citations',
    description:
      'Without a language model the answer is extractive: the three closest passages of the contents, word by word, ' +
      'each with its citation. Where they hold little of the question, it begins by saying so. Where nothing has a word ' +
      'of the question, it cites nothing and names the nearest pages. `model` says what wrote it.',
    body: CompletionCreate,
    inTurn: true,
    idempotent: true,
    reads: ['catalog', 'tag'],
    answers: { 200: Completion },
    streams: {
      'text/plain': {
        description: 'With `stream`: the answer as it is made. A body that is cut was not finished.',
      },
      [EVENT_STREAM]: {
        description:
          'With `stream` and this in Accept: events of the agent-UI protocol (AG-UI 1.0). The only form that tells ' +
          'what a reasoning model thinks, by REASONING events.',
        part: AgUiEvent,
      },
    },
    streamHeaders: {
      'x-conversation-id': 'Of a plain text stream: the conversation, for `conversation_id`',
      'x-user-message-id': 'Of a plain text stream: the question, for `parent_message_id` with `regenerate`',
      'x-assistant-message-id': 'Of a plain text stream: the answer, for `parent_message_id`',
    },
    problems: [
      'not_found',
      'filter_invalid',
      'authz_policy_not_found',
      'not_configured',
      'conflict',
      'idempotency_conflict',
      'provider_error',
      'provider_timeout',
    ],
    handler: async ({ caller, body, idempotencyKey, mediaType, leaveTurn, req, res }) => {
      const stream = prepareStream(req, res, deps.stop.refusing);
      return orReason(stream, async () => {
        const running = await deps.complete(caller, requestOf(body), stream.signal, idempotencyKey);
        leaveTurn();
        if (running.replayed) res.setHeader('idempotent-replayed', 'true');
        if (body.stream !== true) return ok(completionRecord(await lastOf(running)));
        if (mediaType === EVENT_STREAM) {
          const run = {
            runId: deps.ids.newId(),
            trace_id: traceIdOf(res),
            citation: body.citation ?? true,
            failureOf: (error: unknown) => failureOf(reasonOr(stream.signal, error), deps.log),
          };
          await sendAgUi(stream, agUiEvents(running, run), deps.keepAliveMs);
        } else await sendPlainText(res, stream, running);
        return STREAMED;
      });
    },
  }),
];

export const requestOf = (body: CompletionCreate): CompletionRequest => ({
  messages: body.messages,
  citation: body.citation ?? true,
  grounding: body.grounding ?? false,
  limit: body.limit ?? 8,
  usePostfilter: body.use_postfilter ?? false,
  filter: filterOf(body),
  truncation: body.truncation ?? 'auto',
  principalId: body.principal_id ?? null,
  ...(body.authz_policy !== undefined && { authzPolicy: body.authz_policy }),
  regenerate: body.regenerate ?? false,
  ...(body.model !== undefined && { model: body.model }),
  ...(body.temperature !== undefined && { temperature: body.temperature }),
  ...(body.max_tokens !== undefined && { maxTokens: body.max_tokens }),
  ...(body.conversation_id !== undefined && { conversationId: body.conversation_id }),
  ...(body.parent_message_id !== undefined && { parentMessageId: body.parent_message_id }),
});

const traceIdOf = (res: Response): string | null => requestContextOf(res).traceparent?.split('-')[1] ?? null;

export const failureOf = (error: unknown, log: Logger): ReportedFailure => {
  if (error instanceof ClientGone) {
    log.info('the client has gone', { route: '/completions' });
    return { message: error.message, code: 'client_gone' };
  }
  const problem = problemOf(error);
  if (problem !== undefined) {
    const { message, type: code, headers } = problem;
    const wait = headers['retry-after'];
    return { message, code, ...(wait !== undefined && { metadata: { retry_after: Number(wait) } }) };
  }
  log.error('a completion failed', { error: (error as Error).stack ?? String(error) });
  return { message: 'something went wrong here', code: failureCode(error) };
};
