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
    file: 'domain/agent-loop/workflows/extract.ts',
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
  {
    file: 'application/agents/loop/ask-model.ts',
    why: 'what is not told is not tried again',
    mutants: [['{ retryable: false }', '{}']],
  },
  {
    file: 'application/agents/loop/ask-model.ts',
    why: 'what is no call has no arguments',
    mutants: [['[]', '["Stryker was here"]']],
  },
  {
    file: 'application/agents/loop/call-tools.ts',
    why: 'null is no object either way',
    mutants: [['value !== null', 'true']],
  },
  {
    file: 'application/agents/loop/execute-local.ts',
    why: 'only a failure is made one, which the compiler is to be told',
    mutants: [
      ["decision.kind === 'fail'", 'true'],
      ["'internal_error'", '""'],
      ["'the run ended without a reason'", '""'],
    ],
  },
  {
    file: 'application/agents/loop/request.ts',
    why: 'only an answer of the model has calls, and behind the last message that is no result there are but results',
    mutants: [
      ["message.role === 'assistant'", 'true'],
      ["role === 'tool'", 'true'],
      ['place > last', 'place >= last'],
    ],
  },
  {
    file: 'application/agents/loop/call-tools.ts',
    why: 'nothing is open before the first call, and after it `together` is what that was',
    mutants: [
      ['false', 'true'],
      ['open !== undefined', 'true'],
    ],
  },
  {
    file: 'application/agents/loop/call-tools.ts',
    why: 'a signal aborts once, and a listener that is left behind does nothing any more',
    mutants: [
      ['{ once: true }', '{}'],
      ['true', 'false'],
      ["() => signal.removeEventListener('abort', gone)", '() => undefined'],
      ["'abort'", '""'],
    ],
  },
  {
    file: 'application/agents/loop/execute-local.ts',
    why: 'the last part of an id holds no dash',
    mutants: [
      ["'-'", '""'],
      ["''", '"Stryker was here!"'],
    ],
  },
  {
    file: 'application/agents/loop/prepare.ts',
    why: 'the workflow that extracts has refused an input without a schema, and no other asks for problems',
    mutants: [
      ["typeof schema === 'object' && schema !== null", 'true'],
      ["typeof schema === 'object' && schema !== null", "typeof schema === 'object' || schema !== null"],
      ["typeof schema === 'object'", 'true'],
      ['schema !== null', 'true'],
      ['() => []', '() => undefined'],
      ['[]', '["Stryker was here"]'],
    ],
  },
  {
    file: 'application/agents/loop/request.ts',
    why: 'saves a copy of what fits; what is no place of a result is none of the newest',
    mutants: [
      ['over <= 0', 'false'],
      ['over <= 0', 'over < 0'],
      ['[]', '["Stryker was here"]'],
    ],
  },
  {
    file: 'application/agents/runtime/execute-managed.ts',
    why: 'null is no runtime that is allowed, which the compiler is to be told',
    mutants: [
      ['runtimeArn !== null', 'true'],
      ['runtimeArn === null', 'false'],
    ],
  },
  {
    file: 'application/agents/runtime/execute-managed.ts',
    why: 'neither signal has aborted when the wait begins, and each aborts once',
    mutants: [
      ['signal.aborted', 'false'],
      ['resolve();', ';'],
      ['{ once: true }', '{}'],
      ['true', 'false'],
    ],
  },
  {
    file: 'application/agents/runtime/execute-managed.ts',
    why: 'there is a message of the user, which the compiler is to be told; what is no answer has no calls',
    mutants: [
      ['asked.at(-1)?.content', 'asked.at(-1).content'],
      ["''", '"Stryker was here!"'],
      ["message.role !== 'assistant'", 'false'],
    ],
  },
  {
    file: 'application/agents/runtime/reporting.ts',
    why: 'the first report begins a step either way',
    mutants: [['false', 'true']],
  },
  {
    file: 'application/agents/runtime/silence.ts',
    why: 'a signal aborts once, and a listener that is left behind does nothing any more',
    mutants: [
      ['{ once: true }', '{}'],
      ['true', 'false'],
      ["() => signal.removeEventListener('abort', gone)", '() => undefined'],
      ["'abort'", '""'],
    ],
  },
];
