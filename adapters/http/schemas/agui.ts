import Type from 'typebox';
import { Completion, CompletionChoice, WebCitation } from './completion.ts';
import { Id } from './common.ts';
import { Content } from './source.ts';

/** Events of the agent-UI protocol (AG-UI 1.0) in completions, one per `data` of the stream. */
const AgUiRunStarted = Type.Object({
  type: Type.Literal('RUN_STARTED'),
  threadId: Id,
  runId: Id,
  metadata: Type.Object({
    conversation_id: Id,
    user_message_id: Id,
    assistant_message_id: Id,
    trace_id: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  }),
});
const Grounding = Type.Object({
  contents: Type.Array(Content, { description: 'What the answer may rest on' }),
  web_citations: Type.Array(WebCitation),
  web_search_queries: Type.Array(Type.String()),
  search_suggestion: Type.String(),
});
const { index, citations, web_citations: webCitations } = CompletionChoice.properties;
const Citations = Type.Object({
  choices: Type.Array(Type.Object({ index, citations, web_citations: webCitations })),
});
const AgUiCustom = Type.Object({
  type: Type.Literal('CUSTOM'),
  name: Type.Enum(['grounding', 'citations'], { description: 'Says what `value` is' }),
  value: Type.Union([Grounding, Citations]),
});
const AgUiTextMessageStart = Type.Object({
  type: Type.Literal('TEXT_MESSAGE_START'),
  messageId: Id,
  role: Type.Literal('assistant'),
});
const AgUiTextMessageContent = Type.Object({
  type: Type.Literal('TEXT_MESSAGE_CONTENT'),
  messageId: Id,
  delta: Type.String({ minLength: 1 }),
});
const AgUiTextMessageEnd = Type.Object({ type: Type.Literal('TEXT_MESSAGE_END'), messageId: Id });
const AgUiRunFinished = Type.Object({
  type: Type.Literal('RUN_FINISHED'),
  threadId: Id,
  runId: Id,
  result: Completion,
});
const AgUiRunError = Type.Object({
  type: Type.Literal('RUN_ERROR'),
  message: Type.String(),
  code: Type.String({ description: 'As `error.type` of an answer that had not begun' }),
});

/** What the model thinks: a message of its own, whose id no other message has. */
const reasoning = <Name extends string>(type: Name) =>
  Type.Object({ type: Type.Literal(type), messageId: Type.String() });
const AgUiReasoningStart = reasoning('REASONING_START');
const AgUiReasoningMessageStart = Type.Object({
  type: Type.Literal('REASONING_MESSAGE_START'),
  messageId: Type.String(),
  role: Type.Literal('reasoning'),
});
const AgUiReasoningMessageContent = Type.Object({
  type: Type.Literal('REASONING_MESSAGE_CONTENT'),
  messageId: Type.String(),
  delta: Type.String({
    minLength: 1,
    description:
      'What the model thinks, redacted as the answer is; a mark [n] counts the contents of `grounding`, then its web citations',
  }),
});
const AgUiReasoningMessageEnd = reasoning('REASONING_MESSAGE_END');
const AgUiReasoningEnd = reasoning('REASONING_END');

const variants = {
  AgUiRunStarted,
  AgUiCustom,
  AgUiReasoningStart,
  AgUiReasoningMessageStart,
  AgUiReasoningMessageContent,
  AgUiReasoningMessageEnd,
  AgUiReasoningEnd,
  AgUiTextMessageStart,
  AgUiTextMessageContent,
  AgUiTextMessageEnd,
  AgUiRunFinished,
  AgUiRunError,
};

/** One of the events; `type` says which. */
export const AgUiEvent = Type.Unsafe<object>({
  oneOf: Object.values(variants),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      Object.entries(variants).map(([name, { properties }]) => [
        properties.type.const,
        `#/components/schemas/${name}`,
      ]),
    ),
  },
});
export const agUiComponents = { ...variants, AgUiEvent };
