import type { Equivalents } from '../equivalent.ts';

export const COMPLETION: readonly Equivalents[] = [
  {
    file: 'application/answers/completions/once.ts',
    why: 'what is not defined is left out of JSON',
    mutants: [
      ['onSources !== undefined', 'true'],
      ['onChunks !== undefined', 'true'],
    ],
  },
  {
    file: 'application/answers/completions/first-request.ts',
    why: 'no form of a request is undefined: it is one of none',
    mutants: [['kept !== undefined', 'true']],
  },
  {
    file: 'application/answers/completions/first-request.ts',
    why: 'whoever gives the answer again looks at the same once more, and refuses with the same words',
    mutants: [
      ['mustReach(caller)(state);', ';'],
      ['visible(state, repeated.principalId);', ';'],
    ],
  },
  {
    file: 'application/answers/completions/first-request.ts',
    why: 'whatever is not answered is asked as it stands, unless a question is kept of it',
    mutants: [
      ["{ kind: 'free', question: null }", '{}'],
      ["'free'", '""'],
    ],
  },
  {
    file: 'application/answers/completions/first-request.ts',
    why: 'types of one event each, which nothing reads, and the id is that of an answer',
    mutants: [
      ["'CompletionKeyClaimed'", '""'],
      ["message?.role === 'assistant'", 'true'],
    ],
  },
  {
    file: 'application/answers/completions/model-choice.ts',
    why: 'what is not defined is not more than a number',
    mutants: [
      ['temperature !== undefined', 'true'],
      ['maxTokens !== undefined', 'true'],
    ],
  },
  {
    file: 'application/answers/completions/once.ts',
    why: 'no state is there only of a stream of another tenant, and the tenant is in the name of this one',
    mutants: [
      [
        '(await deps.execute.load(completionKey, stream, caller.tenant))?.state',
        '(await deps.execute.load(completionKey, stream, caller.tenant)).state',
      ],
      ['state?.answerId', 'state.answerId'],
    ],
  },
  {
    file: 'application/answers/completions/once.ts',
    why: 'where the key leads to nothing yet there is no first request either, and no question of it',
    mutants: [
      ['last !== null', 'true'],
      ['standing?.kind', 'standing.kind'],
      ['last === null', 'false'],
    ],
  },
  {
    file: 'application/answers/completions/once.ts',
    why: 'a signal aborts once',
    mutants: [
      ['{ once: true }', '{}'],
      ['true', 'false'],
    ],
  },
  {
    file: 'application/answers/completions/once.ts',
    why: 'it is asked only whether it is "again"',
    mutants: [["'first'", '""']],
  },
  {
    file: 'application/answers/completions/replay.ts',
    why: 'the first event of an answer begins it, and what has ended has begun; without texts there is no text',
    mutants: [
      ["event.type === 'AnswerBegun'", 'true'],
      ["parent?.type !== 'AnswerBegun'", 'false'],
      ['parent?.type', 'parent.type'],
      ['texts === null', 'false'],
    ],
  },
  {
    file: 'application/answers/completions/replay.ts',
    why: 'no citation has a text for its number',
    mutants: [['[]', '["Stryker was here"]']],
  },
];
