import Type, { type Static } from 'typebox';
import { closed, Id, IdOrNull } from './common.ts';
import { filterFields } from './search.ts';
import { Content } from './source.ts';

const Message = closed({
  role: Type.Enum(['system', 'user', 'assistant']),
  content: Type.String({ maxLength: 200_000 }),
});

export const CompletionCreate = closed(
  {
    messages: Type.Array(Message, {
      minItems: 1,
      maxItems: 200,
      description:
        'The last one is from the user. In a conversation that goes on, the service knows the earlier turns: ' +
        'of these messages only the last, and those of the system, are read',
    }),
    stream: Type.Optional(Type.Boolean({ default: false })),
    citation: Type.Optional(Type.Boolean({ default: true })),
    grounding: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Search the web too, with the question (at most 400 characters, redacted like contents), and let the answer rest on ' +
          'what the search engine shows of five pages. 422 `not_configured` where no web search is set up',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        default: 8,
        description: 'Contents that the answer may rest on',
      }),
    ),
    conversation_id: Type.Optional(Id),
    parent_message_id: Type.Optional(
      IdOrNull(
        'The answer to go on from; to edit a question, the answer before it. null: beside the first question. Absent: the newest',
      ),
    ),
    regenerate: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Answer the user message `parent_message_id` again, beside its other answers. The last message is that one, or ' +
          'blank: another text is 400',
      }),
    ),
    model: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'One of the models that the operator allows; 400 names them. 422 `not_configured` without a language model',
      }),
    ),
    temperature: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 2,
        description: 'At most what the operator allows. 422 `not_configured` without a language model',
      }),
    ),
    max_tokens: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        description: 'The answer ends there with finish_reason `length`. At most what the operator allows',
      }),
    ),
    truncation: Type.Optional(Type.Enum(['auto', 'disabled'], { default: 'auto' })),
    ...filterFields,
  },
  { examples: [{ messages: [{ role: 'user', content: 'How do I take a backup?' }] }] },
);
export type CompletionCreate = Static<typeof CompletionCreate>;

export const WebCitation = Type.Object({ url: Type.String(), title: Type.String() });

export const Usage = Type.Object(
  { input_tokens: Type.Integer({ minimum: 0 }), output_tokens: Type.Integer({ minimum: 0 }) },
  { description: 'Tokens as the provider of the language model counts them; absent where it does not tell' },
);
export type Usage = Static<typeof Usage>;

export const CompletionChoice = Type.Object({
  index: Type.Integer(),
  message: Type.Object({ role: Type.String(), content: Type.String() }),
  finish_reason: Type.Enum(['stop', 'length', 'content_filter']),
  citations: Type.Array(Content, { description: 'What the answer marks as [1], [2] …, in this order' }),
  web_citations: Type.Array(WebCitation, {
    description:
      'Pages of the web that the answer marks as [W1], [W2] …, in this order; nothing is fetched from them',
  }),
  search_suggestion: Type.String({ description: 'What else the search engine would ask; empty: nothing' }),
  web_search_queries: Type.Array(Type.String(), {
    description: 'What the web was searched for; empty without `grounding`',
  }),
});

export const Completion = Type.Object({
  created: Type.Integer({ description: 'Unix timestamp in seconds' }),
  choices: Type.Array(CompletionChoice),
  conversation_id: Id,
  user_message_id: Id,
  assistant_message_id: Id,
  model: Type.String({
    description: 'What wrote the answer; `extractive`: it consists of passages of the contents, word by word',
  }),
  usage: Type.Optional(Usage),
});
export type Completion = Static<typeof Completion>;
