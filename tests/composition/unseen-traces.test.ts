import { context, propagation, trace } from '@opentelemetry/api';
import { afterEach, describe, expect, it } from 'vitest';
import { createTracing } from '../../adapters/telemetry/tracing.ts';
import { readTelemetry } from '../../composition/telemetry-config.ts';
import { type Telemetry, startTelemetry } from '../../composition/telemetry.ts';

const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

let telemetry: Telemetry | undefined;
afterEach(async () => {
  await telemetry?.shutdown();
  // What it sets is of the process, which other files use too.
  for (const part of [trace, context, propagation]) part.disable();
});

/** The header that work begun for this caller hands on, past an await. */
const handedOn = async (env: { readonly [name: string]: string }): Promise<string | undefined> => {
  telemetry = await startTelemetry({
    telemetry: readTelemetry(env),
    metricsPort: undefined,
    host: '127.0.0.1',
  });
  return createTracing().inSpan('work', { traceparent: CALLER }, {}, async (traceparent) => traceparent);
};

describe('a service that exports nothing', () => {
  it.each([{}, { OTEL_BSP_MAX_QUEUE_SIZE: '100' }])('hands on the trace of its caller (%o)', async (env) => {
    const header = await handedOn(env);
    expect(header).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    expect(header).not.toBe(CALLER);
  });

  it('knows of a variable that only the SDK reads', () => {
    expect([readTelemetry({}).asked, readTelemetry({ OTEL_PROPAGATORS: 'b3' }).asked]).toEqual([false, true]);
  });
});
