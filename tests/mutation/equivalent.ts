/** A mutant that no test can tell from the program. */
export interface Equivalent {
  readonly file: string;
  /** What was replaced, and by what, as the report prints it. */
  readonly code: string;
  readonly by: string;
  readonly why: string;
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'domain/agent-run/context.ts',
    code: "message.role === 'assistant'",
    by: 'true',
    why: 'no other message has calls of tools: the role tells the compiler so',
  },
  {
    file: 'domain/agent-run/context.ts',
    code: "message.role === 'tool'",
    by: 'true',
    why: 'no other message names a call that it answers: the role tells the compiler so',
  },
];
