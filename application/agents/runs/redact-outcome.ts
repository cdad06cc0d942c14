import { redactData } from '../../answers/extract/redact-data.ts';
import type { CompiledRules } from '../../redaction/redactor.ts';
import { redactMessage } from './messages.ts';
import type { RunOutcome } from './run-executor.ts';

export const redactOutcome = ({ messages, result }: RunOutcome, rules: CompiledRules): RunOutcome => ({
  messages: messages.map((message) => redactMessage(message, rules)),
  result: redactData(result, rules) as RunOutcome['result'],
});
