import type {
  Completion,
  CompletionRequest,
  RunningCompletion,
} from '../../answers/completions/completion.ts';
import { redactedContent } from '../../redaction/redacted-catalog.ts';
import { redact } from '../../redaction/redactor.ts';
import { id, list, mustNotBeBlank, record, text, whole } from './argument-schema.ts';
import type { Definition } from './define.ts';
import type { KnowledgeToolDeps } from './deps.ts';
import { FILTER, type FilterArguments, filterOf } from './filter-arguments.ts';
import type { ToolCaller, ToolContext } from './knowledge-tool.ts';
import { withExternalUrl } from './links.ts';
import { SHOWN_CONTENT, shownContent } from './shown-content.ts';

interface Args extends FilterArguments {
  readonly question: string;
  readonly limit?: number;
  readonly conversationId?: string;
}

/** A progress report is sent after this many characters of the answer. */
const REPORT_EVERY = 500;

export const askTool = ({ complete, rulesFor }: KnowledgeToolDeps): Definition<Args> => ({
  name: 'ask',
  title: 'Ask the knowledge base',
  description:
    'Answers a question from the indexed documents, with citations [1], [2] … that name their passages. Use it for a ' +
    'finished answer; to read the passages yourself, use search. The question is kept as a conversation, which ' +
    '`conversation_id` goes on with.',
  scope: 'inference:run',
  readOnly: false,
  properties: {
    question: text('In plain words', { minLength: 1, maxLength: 20_000 }),
    limit: whole('Passages that the answer may rest on, by default 8', { minimum: 1, maximum: 50 }),
    conversationId: id('Of the conversation to go on with, as an answer before named it'),
    ...FILTER,
  },
  required: ['question'],
  result: record({
    answer: text('With marks [1], [2] … where it rests on passages'),
    citations: list(SHOWN_CONTENT, 'What the marks name: [1] is the first'),
    conversationId: text('To go on with'),
    finishReason: text('`length`: the answer was cut', { enum: ['stop', 'length', 'content_filter'] }),
    model: text('What wrote it; `extractive`: sentences of the documents, word by word'),
  }),
  run: async (by, args, context) => {
    mustNotBeBlank('question', args.question);
    const running = await complete(by.caller, requestOf(by, args), context.signal);
    const completion = await answered(running, context);
    const rules = await rulesFor(by.caller.tenant);
    const [{ message, finishReason, citations }] = completion.choices;
    const answer = redact(message.content, rules).text;
    const contents = citations.map((content) =>
      withExternalUrl(redactedContent(content, rules), context.links),
    );
    const { conversationId, model } = completion;
    return {
      data: {
        answer,
        citations: contents.map((content) => shownContent(content, context.uriOf)),
        conversationId,
        finishReason,
        model,
      },
      contents,
      text: [
        answer,
        ...contents.map(({ id: of, title, url }, index) => {
          // As JSON, so that no title can pose as a line of its own.
          return `[${index + 1}] ${context.uriOf(of)} ${JSON.stringify({ title, url })}`;
        }),
        `(conversation_id: ${conversationId})`,
      ].join('\n'),
    };
  },
});

const requestOf = ({ onBehalfOf }: ToolCaller, args: Args): CompletionRequest => {
  const { authzPolicy, principalId = null } = onBehalfOf;
  const { question, limit = 8, conversationId } = args;
  return {
    messages: [{ role: 'user', content: question }],
    citation: true,
    grounding: false,
    limit,
    usePostfilter: false,
    filter: filterOf(args),
    truncation: 'auto',
    principalId,
    regenerate: false,
    ...(authzPolicy !== undefined && { authzPolicy }),
    ...(conversationId !== undefined && { conversationId: conversationId.toLowerCase() }),
  };
};

const answered = async (
  { contents, events }: RunningCompletion,
  { onProgress = () => {} }: ToolContext,
): Promise<Completion> => {
  onProgress(`Passages found: ${contents.length}. Answering`);
  let [written, reported] = [0, 0];
  for await (const event of events) {
    if (event.kind === 'finished') return event.completion;
    if (event.kind === 'delta') written += event.text.length;
    if (written - reported < REPORT_EVERY) continue;
    reported = written;
    onProgress(`${written} characters of the answer are written`);
  }
  throw new Error('a completion ended without an answer');
};
