import type { Equivalents } from '../equivalent.ts';

export const AGENTS: readonly Equivalents[] = [
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
