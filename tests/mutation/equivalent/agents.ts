import type { Equivalents } from '../equivalent.ts';

export const AGENTS: readonly Equivalents[] = [
  {
    file: 'domain/agent-loop/workflows/extract.ts',
    why: 'answers and problems are looked at of sources that are not done: all their answers are used, and without one there is no problem',
    mutants: [
      ['own.slice(0, used)', 'own'],
      ['[]', '["Stryker was here"]'],
    ],
  },
  {
    file: 'domain/agent-loop/workflows/research.ts',
    why: 'every search of the plan has its result before the model is asked, and the plan itself calls no tools, since none are offered',
    mutants: [
      ['state.returned.get(id)?.content', 'state.returned.get(id).content'],
      ["''", '"Stryker was here!"'],
      ['state.transcript.slice(1)', 'state.transcript'],
    ],
  },
  {
    file: 'domain/agent-loop/workflows/research.ts',
    why: 'as much as there is goes to the end all the same, and blanks around a gap are cut',
    mutants: [
      [
        String.raw`/(?:^|\n)[#*\s]*gaps:?[*\s]*\n([^]*)$/i`,
        String.raw`/(?:^|\n)[#*\s]*gaps:?[*\s]*\n([^]*)/i`,
      ],
      [String.raw`/^\s*[-*]\s+(.+)$/gm`, String.raw`/^\s*[-*]\s+(.+)/gm`],
      [String.raw`/^\s*[-*]\s+(.+)$/gm`, String.raw`/^\s*[-*]\s(.+)$/gm`],
    ],
  },
  {
    file: 'domain/agent-loop/workflows/rows.ts',
    why: 'no passage has a text as its number',
    mutants: [['[]', '["Stryker was here"]']],
  },
  {
    file: 'domain/agent-loop/json-answer.ts',
    why: 'a function that ends answers nothing',
    mutants: [['{\n    return undefined;\n  }', '{}']],
  },
  {
    file: 'domain/agent-loop/passages.ts',
    why: 'null and nothing are no passage alike; a match has its list',
    mutants: [
      ['{\n    return null;\n  }', '{}'],
      ["''", '"Stryker was here!"'],
    ],
  },
  {
    file: 'domain/agent-loop/state.ts',
    why: 'a text has no id, and nothing was returned for it',
    mutants: [['[]', '["Stryker was here"]']],
  },
  {
    file: 'domain/agent-run/context.ts',
    why: 'no other message has calls of tools: the role tells the compiler so',
    mutants: [["message.role === 'assistant'", 'true']],
  },
  {
    file: 'domain/agent-run/context.ts',
    why: 'no other message names a call that it answers: the role tells the compiler so',
    mutants: [["message.role === 'tool'", 'true']],
  },
];
