import { type CompiledRules, redact } from '../../redaction/redactor.ts';

/** The same data with every text in it redacted, names of fields too. */
export const redactData = (data: unknown, rules: CompiledRules): unknown => {
  if (rules.rules.length === 0) return data;
  const redacted = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value, rules).text;
    if (Array.isArray(value)) return value.map(redacted);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [redact(name, rules).text, redacted(part)]),
    );
  };
  return redacted(data);
};
