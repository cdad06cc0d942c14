import type { Completion } from '../../../application/answers/completions/completion.ts';
import type { ModelUsage } from '../../../application/ports/language-model.ts';
import type { WebCitation } from '../../../application/ports/web-search.ts';
import { contentRecord } from '../routes/sources.ts';
import type { Completion as CompletionBody, Usage } from '../schemas/completion.ts';

/** Copied field by field, so that no snippet gets into a response. */
export const webCitationRecord = ({ url, title }: WebCitation): WebCitation => ({ url, title });

export const completionRecord = ({ created, choices, ...rest }: Completion): CompletionBody => ({
  created,
  choices: choices.map(({ index, message: { role, content }, finishReason, ...found }) => ({
    index,
    message: { role, content },
    finish_reason: finishReason,
    citations: found.citations.map(contentRecord),
    web_citations: found.webCitations.map(webCitationRecord),
    search_suggestion: found.searchSuggestion,
    web_search_queries: [...found.webSearchQueries],
  })),
  conversation_id: rest.conversationId,
  user_message_id: rest.userMessageId,
  assistant_message_id: rest.assistantMessageId,
  model: rest.model,
  ...usageField(rest.usage),
});

/** Absent when the provider reports no usage. */
export const usageField = (usage: ModelUsage | null): { readonly usage?: Usage } =>
  usage === null ? {} : { usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens } };
