import { context, propagation, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAgentCore } from '../../../adapters/models/agent-core/agent-runtime.ts';
import { createToolServers } from '../../../adapters/models/tool-server/tool-source.ts';
import { schemaCompiler } from '../../../adapters/system/json-schema/schema-compiler.ts';
import { tracedLanguageModel } from '../../../adapters/telemetry/traced-providers.ts';
import { createTracing } from '../../../adapters/telemetry/tracing.ts';
import { createNumbering } from '../../../application/agents/loop/agent-tool.ts';
import { readConfig } from '../../../composition/config/config.ts';
import { startTelemetry, type Telemetry } from '../../../composition/telemetry.ts';
import { parseTraceparent } from '../../../domain/trace-context.ts';
import { openAgentCore, RUNTIME_ARN } from '../../support/agent/agent-core-server.ts';
import { runToDo } from '../../support/agent/local-runs.ts';
import { openToolServer } from '../../support/agent/tool-server.ts';
import { eventsOf } from '../contracts/language-model.ts';
import { INTERFACES, never, open, REQUEST } from './language-model/open-model.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
/** With keys and a length that level 2 allows. */
const STATE = `foo@=1,1a/b=2,${'z'.repeat(256)}=${'v'.repeat(256)}`;

type Sent = readonly { readonly headers: Readonly<Record<string, string | string[] | undefined>> }[];

const askRuntime = async (): Promise<Sent> => {
  const server = await openAgentCore();
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a-very-secret-key' };
  const runtime = createAgentCore({ endpoint: server.endpoint, credentials });
  onTestFinished(async () => {
    await runtime.close();
    await server.close();
  });
  const call = {
    runtimeArn: RUNTIME_ARN,
    sessionId: `knowledger-${TRACE}`,
    payload: '{}',
    mcpSessionId: null,
  };
  for await (const _ of runtime.invoke(call, never()));
  return server.invoked;
};

const askToolServer = async (): Promise<Sent> => {
  const server = await openToolServer([{ name: 'look_up' }], { speaks: 'sessions' });
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const own = {
    name: 'crm',
    url: server.url,
    headers: {},
    tools: ['*'],
    timeoutMs: 5_000,
    takesSession: false,
  };
  const source = createToolServers({ servers: [own], schemas: schemaCompiler, log });
  onTestFinished(async () => {
    await source.close();
    await server.close();
  });
  const { tools, close } = await source.open(runToDo({}), createNumbering(0), never());
  await tools[0]!.call({}, never());
  await close();
  return server.asked;
};

const PROVIDERS: readonly (readonly [string, () => Promise<Sent>])[] = [
  ['a runtime', askRuntime],
  ['a tool server', askToolServer],
  ...INTERFACES.map(
    ([name, wire]) =>
      [
        `a model of ${name}`,
        async () => {
          const { provider, model } = await open(wire);
          const traced = tracedLanguageModel(model);
          await eventsOf(traced.stream(REQUEST, never()));
          await eventsOf(traced.stream(REQUEST, never()));
          return provider.asked;
        },
      ] as const,
  ),
];

describe.each(PROVIDERS)('%s', (_name, ask) => {
  let telemetry: Telemetry;
  beforeAll(async () => {
    telemetry = await startTelemetry(readConfig({}, true));
  });
  afterAll(async () => {
    await telemetry.shutdown();
    for (const part of [trace, context, propagation]) part.disable();
  });

  it.each(['00', '01', '02', '03'])(
    'gets the trace of the caller, each request its own parent: %s',
    async (flags) => {
      const from = { traceparent: `00-${TRACE}-${SPAN}-${flags}`, tracestate: STATE };
      const sent = await createTracing().inSpan('work', from, {}, ask);
      const parents = sent.map(({ headers }) => parseTraceparent(headers['traceparent'] as string));
      const bits = { sampled: (Number(flags) & 1) === 1, random: (Number(flags) & 2) === 2 };
      for (const parent of parents) expect(parent).toMatchObject({ traceId: TRACE, ...bits });
      expect(new Set([SPAN, ...parents.map((parent) => parent?.parentId)]).size).toBe(sent.length + 1);
      for (const { headers } of sent) expect(headers['tracestate']).toBe(STATE);
    },
  );

  it('gets none outside of a trace', async () => {
    for (const { headers } of await ask()) expect(headers).not.toHaveProperty('traceparent');
  });
});
