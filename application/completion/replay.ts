import { withoutCitations } from '../../domain/answer/without-citations.ts';
import { type AnswerFinished, noSuchConversation } from '../../domain/conversation/index.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Asked } from '../authz/access.ts';
import type { Caller } from '../caller.ts';
import { loadHistory } from '../conversation/load.ts';
import { parsePages, parseShown, shownOf, webCitationsOf } from '../conversation/message-text.ts';
import type { TurnDeps } from '../conversation/turns.ts';
import type { ContentRecord } from '../ports/contents.ts';
import type { FinishReason } from '../ports/language-model.ts';
import { conversationStream } from '../streams.ts';
import type { CompletionKeyClaimed } from './answer-key.ts';
import type { Completion, CompletionEvent, CompletionRequest, RunningCompletion } from './completion.ts';

export interface ReplayDeps extends Pick<TurnDeps, 'execute' | 'vault'> {
  /** @throws DomainError not_found for what the caller may not see (any more) */
  readonly content: (caller: Caller, id: string, asked: Asked) => Promise<ContentRecord>;
}

export type Replay = (
  caller: Caller,
  request: CompletionRequest,
  first: Pick<CompletionKeyClaimed, 'conversation_id' | 'answer_id'>,
) => Promise<RunningCompletion>;

/**
 * The answer that was kept, as its first request got it. Contents are read as they can be read now: what was deleted
 * since, or is denied now, is cited no more.
 *
 * @throws DomainError not_found for a conversation that was deleted, or that the caller may not see
 */
export const createReplay =
  (deps: ReplayDeps): Replay =>
  async (caller, request, { conversation_id, answer_id }) => {
    const history = await loadHistory(deps, caller, conversation_id, request.principal_id);
    const ending = history.find(
      (event): event is AnswerFinished => event.type === 'AnswerFinished' && event.message_id === answer_id,
    );
    const parent = history.find((event) => event.type === 'AnswerBegun' && event.message_id === answer_id);
    const of = [answer_id, webCitationsOf(answer_id), shownOf(answer_id)] as const;
    const texts = await deps.vault.read(caller.tenant, conversationStream(conversation_id), of);
    const text = texts?.get(answer_id);
    if (texts === null || text === undefined || ending === undefined || parent?.type !== 'AnswerBegun')
      throw noSuchConversation();
    const shown = parseShown(texts.get(of[2]));
    const found = await readable(deps, caller, request, [...shown.content_ids, ...ending.cited_content_ids]);
    const cited = ending.cited_content_ids.map((id) => found.get(id));
    const gone = new Set(cited.flatMap((content, place) => (content === undefined ? [place] : [])));
    const content = withoutCitations(text, cited.length, gone);
    const ids = { conversation_id, user_message_id: parent.parent_id, assistant_message_id: answer_id };
    const completion: Completion = {
      created: Math.floor(ending.at / 1000),
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content },
          finish_reason: ending.finish_reason as FinishReason,
          citations: cited.filter((one) => one !== undefined),
          web_citations: parsePages(texts.get(of[1]) ?? '[]'),
          web_search_queries: shown.queries,
          search_suggestion: shown.suggestion,
        },
      ],
      ...ids,
      model: ending.model,
      usage: ending.usage && {
        inputTokens: ending.usage.input_tokens,
        outputTokens: ending.usage.output_tokens,
      },
    };
    const contents = shown.content_ids.map((id) => found.get(id)).filter((one) => one !== undefined);
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
  { principal_id, authz_policy }: CompletionRequest,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ContentRecord>> => {
  const asked = { principal_id, ...(authz_policy !== undefined && { authz_policy }) };
  const found = new Map<string, ContentRecord>();
  for (const id of new Set(ids)) {
    try {
      found.set(id, await content(caller, id, asked));
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
    }
  }
  return found;
};
