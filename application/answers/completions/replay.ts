import { withoutCitations } from '../../../domain/answer/without-citations.ts';
import { type AnswerFinished, noSuchConversation } from '../../../domain/conversation/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { OnBehalfOf } from '../../access/authz/access.ts';
import type { Caller } from '../../access/caller.ts';
import { loadHistory } from '../conversations/load-conversation.ts';
import {
  parsePages,
  parsePromptSources,
  promptSourcesId,
  webCitationsId,
} from '../conversations/message-text.ts';
import type { TurnDeps } from '../conversations/turns.ts';
import type { ContentRecord } from '../../ports/catalog.ts';
import type { FinishReason } from '../../ports/language-model.ts';
import { conversationStream } from '../../event-sourcing/streams.ts';
import type { CompletionKeyClaimed } from '../../../domain/idempotency/completion-key.ts';
import type { Completion, CompletionEvent, CompletionRequest, RunningCompletion } from './completion.ts';

export interface ReplayDeps extends Pick<TurnDeps, 'execute' | 'vault'> {
  /** @throws DomainError not_found when the caller may not, or may no longer, see the content */
  readonly content: (caller: Caller, id: string, onBehalfOf: OnBehalfOf) => Promise<ContentRecord>;
}

export type Replay = (
  caller: Caller,
  request: CompletionRequest,
  claim: Pick<CompletionKeyClaimed, 'conversationId' | 'answerId'>,
) => Promise<RunningCompletion>;

/**
 * Replays the stored answer to a repeated request. Contents are loaded with the current permissions: citations of
 * contents that have been deleted or are denied now are removed.
 *
 * @throws DomainError not_found when the conversation was deleted or the caller may not see it
 */
export const createReplay =
  (deps: ReplayDeps): Replay =>
  async (caller, request, { conversationId, answerId }) => {
    const history = await loadHistory(deps, caller, conversationId, request.principalId);
    const finished = history.find(
      (event): event is AnswerFinished => event.type === 'AnswerFinished' && event.messageId === answerId,
    );
    const begun = history.find((event) => event.type === 'AnswerBegun' && event.messageId === answerId);
    const of = [answerId, webCitationsId(answerId), promptSourcesId(answerId)] as const;
    const texts = await deps.vault.read(caller.tenant, conversationStream(conversationId), of);
    const text = texts?.get(answerId);
    if (texts === null || text === undefined || finished === undefined || begun?.type !== 'AnswerBegun')
      throw noSuchConversation();
    const sources = parsePromptSources(texts.get(of[2]));
    const found = await readableContents(deps, caller, request, [
      ...sources.contentIds,
      ...finished.citedContentIds,
    ]);
    const cited = finished.citedContentIds.map((id) => found.get(id));
    const unavailableCitations = new Set(
      cited.flatMap((content, index) => (content === undefined ? [index] : [])),
    );
    const content = withoutCitations(text, cited.length, unavailableCitations);
    const ids = { conversationId, userMessageId: begun.parentId, assistantMessageId: answerId };
    const completion: Completion = {
      created: Math.floor(finished.at / 1000),
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content },
          finishReason: finished.finishReason as FinishReason,
          citations: cited.filter((one) => one !== undefined),
          webCitations: parsePages(texts.get(of[1]) ?? '[]'),
          webSearchQueries: sources.queries,
          searchSuggestion: sources.suggestion,
        },
      ],
      ...ids,
      model: finished.model,
      usage: finished.usage && {
        inputTokens: finished.usage.inputTokens,
        outputTokens: finished.usage.outputTokens,
      },
    };
    const contents = sources.contentIds.map((id) => found.get(id)).filter((one) => one !== undefined);
    const { pages, queries, suggestion } = sources;
    const web = { results: pages.map((page) => ({ ...page, snippet: '' })), queries, suggestion };
    return { ...ids, contents, web, events: eventsOf(completion), replayed: true };
  };

async function* eventsOf(completion: Completion): AsyncGenerator<CompletionEvent> {
  const { message, citations, webCitations } = completion.choices[0];
  if (message.content !== '')
    yield { kind: 'delta', text: message.content, cited: { citations, webCitations } };
  yield { kind: 'finished', completion };
}

/** The contents that the caller may read, by id. */
const readableContents = async (
  { content }: ReplayDeps,
  caller: Caller,
  { principalId, authzPolicy }: CompletionRequest,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ContentRecord>> => {
  const onBehalfOf = { principalId, ...(authzPolicy !== undefined && { authzPolicy }) };
  const found = new Map<string, ContentRecord>();
  for (const id of new Set(ids)) {
    try {
      found.set(id, await content(caller, id, onBehalfOf));
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
    }
  }
  return found;
};
