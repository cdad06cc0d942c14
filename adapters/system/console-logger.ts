import type { LogFields, Logger } from '../../application/ports/logger.ts';
import { snakeKeys } from '../../domain/shared/key-case.ts';

export interface LoggerOptions {
  readonly write: (line: string) => void;
  /** Ids of the active span, if any. */
  readonly trace: () => { readonly trace_id: string; readonly span_id: string } | undefined;
  /** `json` for machines, `text` for a terminal. */
  readonly format: 'json' | 'text';
  readonly minLevel: 'info' | 'warn' | 'error';
}

const RANK = { info: 0, warn: 1, error: 2 } as const;

/**
 * Writes one line per message: JSON with time, level, message, trace ids and fields in snake_case, or the
 * same as text for people.
 */
export const createLogger = ({ write, trace, format, minLevel }: LoggerOptions): Logger => {
  const log =
    (level: keyof typeof RANK) =>
    (message: string, fields: LogFields = {}): void => {
      if (RANK[level] < RANK[minLevel]) return;
      const time = new Date().toISOString();
      const snakeFields = snakeKeys(fields) as LogFields;
      const line = { time, level, message, ...trace(), ...snakeFields };
      write(format === 'json' ? JSON.stringify(line) : asText(time, level, message, snakeFields));
    };
  return { info: log('info'), warn: log('warn'), error: log('error') };
};

const asText = (time: string, level: string, message: string, fields: LogFields): string => {
  const texts = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return `${time.slice(11, 23)} ${level.padEnd(5)} ${message}${texts.join('')}`;
};

export interface OutageLog {
  readonly log: Logger;
  /** Number of warnings suppressed since the last call. */
  readonly summary: () => LogFields;
}

/** A repeated warning within this time is suppressed. */
const REPEAT_MS = 1_000;
/** Number of remembered warnings. */
const MAX_REMEMBERED = 200;

/**
 * Wraps a log so that it does not flood while a store is unavailable: a warning with the same message and the
 * same error is logged once per outage, and otherwise once per second. Errors, and warnings without an error,
 * are always logged.
 *
 * @param unavailableSince start of the current outage by `now`, or null
 */
export const createOutageLog = (
  log: Logger,
  unavailableSince: () => number | null,
  now: () => number,
): OutageLog => {
  const loggedAt = new Map<string, number>();
  let suppressed = 0;
  const isRepeated = (message: string, error: unknown): boolean => {
    // Ignore differences in times, ports and counts.
    const text = `${message}: ${String(error)}`.replaceAll(/\d+/g, '0');
    const before = loggedAt.get(text);
    const repeated = before !== undefined && before > (unavailableSince() ?? now()) - REPEAT_MS;
    if (!repeated) {
      loggedAt.delete(text);
      loggedAt.set(text, now());
      const [eldest] = loggedAt.keys();
      if (loggedAt.size > MAX_REMEMBERED && eldest !== undefined) loggedAt.delete(eldest);
    }
    return repeated;
  };
  return {
    log: {
      ...log,
      warn: (message, fields) => {
        if (fields?.['error'] !== undefined && isRepeated(message, fields['error'])) suppressed += 1;
        else log.warn(message, fields);
      },
    },
    summary: () => {
      const more = suppressed > 0 ? { warnings_left_out: suppressed } : {};
      suppressed = 0;
      return more;
    },
  };
};
