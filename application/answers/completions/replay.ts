import { withoutCitations } from '../../../domain/answer/without-citations.ts';
import { type AnswerFinished, noSuchConversation } from '../../../domain/conversation/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { OnBehalfOf } from '../../access/authz/access.ts';
import type { Caller } from '../../access/caller.ts';
import { loadHistory } from '../conversations/load.ts';
import { parsePages, parseShown, shownOf, webCitationsOf } from '../conversations/message-text.ts';
import type { TurnDeps } from '../conversations/turns.ts';
import type { ContentRecord } from '../../ports/catalog.ts';
import type { FinishReason } from '../../ports/language-model.ts';
import { conversationStream } from '../../event-sourcing/streams.ts';
import type { CompletionKeyClaimed } from '../../../domain/idempotency/completion-key.ts';
import type { Completion, CompletionEvent, CompletionRequest, RunningCompletion } from './completion.ts';

export interface ReplayDeps extends Pick<TurnDeps, 'execute' | 'vault'> {
  /** @throws DomainError not_found for what the caller may not see (any more) */
  readonly content: (caller: Caller, id: string, onBehalfOf: OnBehalfOf) => Promise<ContentRecord>;
}

export type Replay = (
  caller: Caller,
  request: CompletionRequest,
  first: Pick<CompletionKeyClaimed, 'conversationId' | 'answerId'>,
) => Promise<RunningCompletion>;

/**
 * The answer that was kept, as its first request got it. Contents are read as they can be read now: what was deleted
 * since, or is denied now, is cited no more.
 *
 * @throws DomainError not_found for a conversation that was deleted, or that the caller may not see
 */
export const createReplay =
  (deps: ReplayDeps): Replay =>
  async (caller, request, { conversationId, answerId }) => {
    const history = await loadHistory(deps, caller, conversationId, request.principalId);
    const ending = history.find(
      (event): event is AnswerFinished => event.type === 'AnswerFinished' && event.messageId === answerId,
    );
    const parent = history.find((event) => event.type === 'AnswerBegun' && event.messageId === answerId);
    const of = [answerId, webCitationsOf(answerId), shownOf(answerId)] as const;
    const texts = await deps.vault.read(caller.tenant, conversationStream(conversationId), of);
    const text = texts?.get(answerId);
    if (texts === null || text === undefined || ending === undefined || parent?.type !== 'AnswerBegun')
      throw noSuchConversation();
    const shown = parseShown(texts.get(of[2]));
    const found = await readable(deps, caller, request, [...shown.contentIds, ...ending.citedContentIds]);
    const cited = ending.citedContentIds.map((id) => found.get(id));
    const gone = new Set(cited.flatMap((content, place) => (content === undefined ? [place] : [])));
    const content = withoutCitations(text, cited.length, gone);
    const ids = { conversationId, userMessageId: parent.parentId, assistantMessageId: answerId };
    const completion: Completion = {
      created: Math.floor(ending.at / 1000),
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content },
          finishReason: ending.finishReason as FinishReason,
          citations: cited.filter((one) => one !== undefined),
          webCitations: parsePages(texts.get(of[1]) ?? '[]'),
          webSearchQueries: shown.queries,
          searchSuggestion: shown.suggestion,
        },
      ],
      ...ids,
      model: ending.model,
      usage: ending.usage && {
        inputTokens: ending.usage.inputTokens,
        outputTokens: ending.usage.outputTokens,
      },
    };
    const contents = shown.contentIds.map((id) => found.get(id)).filter((one) => one !== undefined);
    const { pages, queries, suggestion } = shown;
    const web = { results: pages.map((page) => ({ ...page, snippet: '' })), queries, suggestion };
    return { ...ids, contents, web, events: eventsOf(completion), replayed: true };
  };

async function* eventsOf(completion: Completion): AsyncGenerator<CompletionEvent> {
  const { content } = completion.choices[0].message;
  if (content !== '') yield { kind: 'delta', text: content };
  yield { kind: 'finished', completion };
}

/** Those that the caller can read, by id. */
const readable = async (
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
