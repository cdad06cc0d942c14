import { snakeKeys } from '../../domain/shared/key-case.ts';
import type { LogFields, Logger } from '../../application/ports/logger.ts';

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
