import type { AgentMessage, ToolCall } from '../../agent-run/message.ts';
import { finishWith, failureOfAnswer } from '../answers.ts';
import { resolve } from '../passages.ts';
import { jsonIn } from '../json-answer.ts';
import type { Answer, LoopState } from '../state.ts';
import { type Decision, fail, type LoopMessage } from '../step.ts';
import { type Assignment, questionOf, type Workflow } from '../next.ts';

const PLAN_RULES =
  'You plan a piece of research in a collection of documents. Answer with JSON alone: {"questions": ["…"]}: two to six questions in plain words that can each be searched for by themselves, and that together cover what is asked.';
const RULES = [
  'You research a question in a collection of documents. What the searches of your plan have found is given as data. Read more with your tools where that is not enough: search again in other words, read passages.',
  'Then write the answer. After each statement name the numbers of the passages that it rests on, like this: [1] or [2][3]; state nothing that no passage holds.',
  'End with a line "Gaps:" and below it one line for each thing that was asked and not found, beginning with "- ", or "- none".',
].join(' ');

const MAX_QUESTIONS = 6;
const SEARCH_LIMIT = 6;
const MAX_QUERY = 1_000;
/** How often an answer with unresolved citations is sent back. */
const CORRECTIONS = 2;

/**
 * Plans questions, searches for each, reads more with tools, and answers with resolved citations and a list of gaps.
 */
export const research: Workflow = {
  type: 'research',
  needs: 'toolUse',
  fields: [],
  problemsOf: () => [],
  next: (assignment, state) => {
    const [plan] = state.answers;
    if (plan === undefined) return { kind: 'call_model', messages: planning(assignment), offersTools: false };
    if (plan.finishReason === 'content_filter') return failureOfAnswer(plan)!;
    const searches = searchesOf(plan, assignment);
    const pending = searches.filter(({ id }) => !state.returned.has(id));
    if (pending.length > 0) return { kind: 'call_tools', calls: pending, shown: 'together' };
    const last = state.answers.length > 1 ? state.answers.at(-1)! : null;
    if (last === null || (last.message.toolCalls ?? []).length > 0) return ask(assignment, state, searches);
    return failureOfAnswer(last) ?? checkedAnswer(assignment, state, searches, last);
  },
};

/**
 * Asks for the plan, without tools. Tool calls are removed from the history, because providers reject them without
 * tools.
 */
const planning = ({ history, input }: Assignment): readonly LoopMessage[] => [
  { role: 'system', content: PLAN_RULES },
  ...[...history, ...input.messages].flatMap((message): AgentMessage[] => {
    if (message.role === 'tool') return [];
    if (message.role !== 'assistant') return [message];
    return message.content.trim() === '' ? [] : [{ role: 'assistant', content: message.content }];
  }),
];

/** One search per question of the plan; if the plan cannot be parsed, one search for the user's question. */
const searchesOf = ({ message }: Answer, assignment: Assignment): readonly ToolCall[] => {
  const { questions } = (jsonIn(message.content) ?? {}) as { readonly questions?: unknown };
  const planned = (Array.isArray(questions) ? questions : []).filter(
    (one): one is string => typeof one === 'string' && one.trim() !== '',
  );
  const plannedQuestions = planned.length > 0 ? planned.slice(0, MAX_QUESTIONS) : [questionOf(assignment)];
  return plannedQuestions.map((question, index) => ({
    id: `search-${index + 1}`,
    name: 'search',
    arguments: JSON.stringify({ query: question.slice(0, MAX_QUERY).toWellFormed(), limit: SEARCH_LIMIT }),
  }));
};

const queryOf = ({ arguments: given }: ToolCall): string => (JSON.parse(given) as { query: string }).query;

const ask = ({ history, input }: Assignment, state: LoopState, searches: readonly ToolCall[]): Decision => ({
  kind: 'call_model',
  messages: [
    { role: 'system', content: RULES },
    ...history,
    ...input.messages,
    {
      role: 'data',
      content: searches.map(({ id }) => state.returned.get(id)?.content ?? '').join('\n'),
    },
    // The first answer is the plan.
    ...state.transcript
      .slice(1)
      .flatMap((message) =>
        isAnswer(message) ? [message, correctionOf(message.content, state)] : [message],
      ),
  ],
  offersTools: true,
});

const isAnswer = (message: AgentMessage): boolean =>
  message.role === 'assistant' && (message.toolCalls ?? []).length === 0;

/** Describes what is wrong with the citations of an answer; null when they are valid. */
const problemOf = (answer: string, { passages }: LoopState): string | null => {
  const { cited, unknown } = resolve(answer, passages);
  if (unknown.length > 0)
    return `These numbers are of no passage that you were shown: ${unknown.join(', ')}.`;
  return cited.length === 0 && passages.length > 0 ? 'The answer names no passage that it rests on.' : null;
};

const correctionOf = (answer: string, state: LoopState): AgentMessage => ({
  role: 'user',
  content:
    `${problemOf(answer, state) ?? ''} Write the whole answer again, with numbers of passages that you were shown.`.trim(),
});

const checkedAnswer = (
  assignment: Assignment,
  state: LoopState,
  searches: readonly ToolCall[],
  last: Answer,
): Decision => {
  if (problemOf(last.message.content, state) === null) {
    const messages = [...state.transcript.slice(1).filter((message) => !isAnswer(message)), last.message];
    return { ...finishWith(last, state), messages, gaps: gapsOf(state, searches, last) };
  }
  const answers = state.transcript.slice(1).filter(isAnswer);
  if (answers.length <= CORRECTIONS) return ask(assignment, state, searches);
  return fail(
    'citations_unresolved',
    'the model cited passages that it was not shown, even after corrections',
  );
};

/** The gaps that the answer lists after its last "Gaps:", and every question of the plan without results. */
const gapsOf = (state: LoopState, searches: readonly ToolCall[], { message }: Answer): readonly string[] => {
  const below = /(?:^|\n)[#*\s]*gaps:?[*\s]*\n([^]*)$/i.exec(message.content)?.[1] ?? '';
  const named = [...below.matchAll(/^\s*[-*]\s+(.+)$/gm)]
    .map(([, gap = '']) => gap.trim())
    .filter((gap) => !/^none\.?$/i.test(gap));
  const empty = searches
    .filter(({ id }) => state.returned.get(id)?.content.includes('{"passage":') !== true)
    .map(queryOf);
  return [...new Set([...named, ...empty])];
};
