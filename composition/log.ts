import { trace } from '@opentelemetry/api';
import { createLogger } from '../adapters/system/console-logger.ts';
import type { Logger } from '../application/ports/logger.ts';
import type { Config } from './config.ts';

/** The log of the process, on stderr: stdout is for what people asked to see. */
export const createLog = ({ log }: Pick<Config, 'log'>): Logger =>
  createLogger({
    write: (line) => process.stderr.write(`${line}\n`),
    trace: activeTrace,
    format: log.format,
    least: log.level,
  });

const activeTrace = (): { readonly trace_id: string; readonly span_id: string } | undefined => {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? undefined : { trace_id: span.traceId, span_id: span.spanId };
};
