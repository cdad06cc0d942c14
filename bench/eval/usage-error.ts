/** Options that do not fit. The message says what to write instead. */
export class EvalUsageError extends Error {
  override readonly name = 'EvalUsageError';
}
