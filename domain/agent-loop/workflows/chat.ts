import { finishWith, failureOfAnswer } from '../answers.ts';
import { passageLine } from '../passages.ts';
import type { LoopState } from '../state.ts';
import type { Decision, LoopMessage } from '../step.ts';
import { type Assignment, questionOf, type Workflow } from '../next.ts';

const RULES = [
  'You are an assistant with tools. Look things up with them where an answer depends on facts of the documents or systems that they reach; ask for several at once where they do not depend on each other.',
  'After each statement that rests on a passage name its number, like this: [1] or [2][3]. Number nothing else.',
  'When what you find does not hold the answer, say so, and make nothing up.',
].join(' ');
const RULES_WITHOUT_TOOLS =
  'Answer from the passages that were found. After each statement name the numbers of the passages that it rests on, like this: [1] or [2][3]. When they do not hold the answer, say so, and make nothing up.';

const SEARCH = 'search-1';
/** Number of passages for an answer without tools, and maximum length of a search query. */
const SEARCH_LIMIT = 8;
const MAX_QUERY = 4_000;

/** One turn: the model calls tools until it answers. A model without tool use is given the results of one search. */
export const chat: Workflow = {
  type: 'chat',
  needs: null,
  fields: [],
  problemsOf: () => [],
  next: (assignment, state) => {
    const last = state.answers.at(-1);
    if (last !== undefined && (last.message.toolCalls ?? []).length === 0)
      return failureOfAnswer(last) ?? finishWith(last, state);
    return assignment.model.toolUse ? withTools(assignment, state) : fromSearch(assignment, state);
  },
};

const withTools = ({ history, input }: Assignment, { transcript, passages }: LoopState): Decision => ({
  kind: 'call_model',
  messages: [{ role: 'system', content: RULES }, ...history, ...input.messages, ...transcript],
  offersTools: true,
  citable: passages.map(({ number }) => number),
});

const fromSearch = (assignment: Assignment, { returned, passages }: LoopState): Decision => {
  const { history, input } = assignment;
  if (!returned.has(SEARCH)) {
    const query = questionOf(assignment).slice(0, MAX_QUERY).toWellFormed();
    const given = JSON.stringify({ query, limit: SEARCH_LIMIT });
    return {
      kind: 'call_tools',
      calls: [{ id: SEARCH, name: 'search', arguments: given }],
      shown: 'together',
    };
  }
  const before = input.messages.slice(0, -1);
  const found: readonly LoopMessage[] =
    passages.length === 0 ? [] : [{ role: 'data', content: passages.map(passageLine).join('\n') }];
  const system = { role: 'system', content: RULES_WITHOUT_TOOLS } as const;
  return {
    kind: 'call_model',
    messages: [system, ...history, ...before, ...found, ...input.messages.slice(-1)],
    offersTools: false,
    passages,
    citable: passages.map(({ number }) => number),
  };
};
