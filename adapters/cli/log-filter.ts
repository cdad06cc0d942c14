import type { ParseArgsConfig } from 'node:util';
import { WrongUse } from './failures.ts';

/** Options that say which events of the log are wanted, beside their types and categories. */
export const LOG_FILTER = {
  stream: { type: 'string' },
  'stream-prefix': { type: 'string' },
  actor: { type: 'string' },
  'trace-id': { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  where: { type: 'string' },
} as const satisfies NonNullable<ParseArgsConfig['options']>;

type Given = { readonly [Name in keyof typeof LOG_FILTER]?: string | undefined };

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** Unix milliseconds. */
const timeOf = (option: string, text: string): number => {
  const time = /^\d+$/.test(text) ? Number(text) * 1_000 : RFC_3339.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time))
    throw new WrongUse(`${option} takes a time as 2026-01-31T12:00:00Z or in Unix seconds, not ${text}`);
  return time;
};

/** What the options say, with times in Unix milliseconds. @throws WrongUse for what is no time */
export const logFilterOf = ({
  stream,
  'stream-prefix': streamPrefix,
  actor,
  'trace-id': traceId,
  from,
  to,
  where,
}: Given) => ({
  ...(stream !== undefined && { stream }),
  ...(streamPrefix !== undefined && { streamPrefix }),
  ...(actor !== undefined && { actor }),
  ...(traceId !== undefined && { traceId }),
  ...(from !== undefined && { from: timeOf('--from', from) }),
  ...(to !== undefined && { to: timeOf('--to', to) }),
  ...(where !== undefined && { where }),
});
