import type { LogFields, Logger } from '../../application/ports/logger.ts';
import { snakeKeys } from '../../domain/shared/key-case.ts';

export interface LoggerOptions {
  readonly write: (line: string) => void;
  /** Ids of the span that is active now, if any. */
  readonly trace: () => { readonly trace_id: string; readonly span_id: string } | undefined;
  /** `json` for machines, `text` for a terminal. */
  readonly format: 'json' | 'text';
  readonly least: 'info' | 'warn' | 'error';
}

const RANK = { info: 0, warn: 1, error: 2 } as const;

/** One line per message: JSON with time, level, message, trace ids and fields in snake_case, or the same for people. */
export const createLogger = ({ write, trace, format, least }: LoggerOptions): Logger => {
  const log =
    (level: keyof typeof RANK) =>
    (message: string, fields: LogFields = {}): void => {
      if (RANK[level] < RANK[least]) return;
      const time = new Date().toISOString();
      const named = snakeKeys(fields) as LogFields;
      const line = { time, level, message, ...trace(), ...named };
      write(format === 'json' ? JSON.stringify(line) : asText(time, level, message, named));
    };
  return { info: log('info'), warn: log('warn'), error: log('error') };
};

const asText = (time: string, level: string, message: string, fields: LogFields): string => {
  const texts = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return `${time.slice(11, 23)} ${level.padEnd(5)} ${message}${texts.join('')}`;
};

export interface OutageLog {
  readonly log: Logger;
  /** How many warnings were left out since it was asked last. */
  readonly summary: () => LogFields;
}

/** The same words again so soon say nothing new. */
const AGAIN_MS = 1_000;
/** Wordings that are remembered; what many errors say in as many ways is not worth more. */
const MOST = 200;

/**
 * A log that does not flood while a store is away (since when, by `now`; null: none is): a warning with the same message and the same error is told once in
 * an outage, and at other times once in a second. Errors, and warnings that name no error, are always told.
 */
export const createOutageLog = (
  log: Logger,
  unavailableSince: () => number | null,
  now: () => number,
): OutageLog => {
  const toldAt = new Map<string, number>();
  let left = 0;
  const isRepeated = (message: string, error: unknown): boolean => {
    // Times, ports and counts are no other words.
    const words = `${message}: ${String(error)}`.replaceAll(/\d+/g, '0');
    const before = toldAt.get(words);
    const repeated = before !== undefined && before > (unavailableSince() ?? now()) - AGAIN_MS;
    if (!repeated) {
      toldAt.delete(words);
      toldAt.set(words, now());
      const [eldest] = toldAt.keys();
      if (toldAt.size > MOST && eldest !== undefined) toldAt.delete(eldest);
    }
    return repeated;
  };
  return {
    log: {
      ...log,
      warn: (message, fields) => {
        if (fields?.['error'] !== undefined && isRepeated(message, fields['error'])) left += 1;
        else log.warn(message, fields);
      },
    },
    summary: () => {
      const more = left > 0 ? { warnings_left_out: left } : {};
      left = 0;
      return more;
    },
  };
};
