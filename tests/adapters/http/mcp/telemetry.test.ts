import { context, trace } from '@opentelemetry/api';
import { startNodeSdk } from '@opentelemetry/sdk-node';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { afterAll, expect, it } from 'vitest';
import { mcpClient, NO_HANDSHAKE } from '../../../support/mcp.ts';
import { KEY } from '../fake-records.ts';
import { runApp, stopServersAfterAll } from '../running-app.ts';

const exporter = new InMemorySpanExporter();
const sdk = startNodeSdk({
  spanProcessors: [new SimpleSpanProcessor({ exporter })],
  metricReaders: [],
  logRecordProcessors: [],
  resourceDetectors: [],
});
stopServersAfterAll();
afterAll(async () => {
  await sdk.shutdown();
  trace.disable();
  context.disable();
});

it('a call is a span below that of its request, which tells what was called and not what was said', async () => {
  const app = await runApp();
  const client = await mcpClient(`${app.url}/mcp`, KEY, NO_HANDSHAKE);
  await client.callTool({ name: 'search', arguments: { query: 'my wish' } });
  await client.callTool({ name: 'search', arguments: { query: 'my wish', mode: 'vector' } });
  await app.stop(0);
  const spans = exporter.getFinishedSpans();
  const calls = spans.filter(({ name }) => name === 'tools/call search');
  expect(calls.map(({ attributes }) => attributes)).toEqual([
    { 'mcp.method.name': 'tools/call' },
    { 'mcp.method.name': 'tools/call', 'error.type': 'not_configured' },
  ]);
  const requests = spans.filter(({ name }) => name === 'POST /mcp');
  const ids = new Set(requests.map((span) => span.spanContext().spanId));
  expect(calls.every(({ parentSpanContext }) => ids.has(parentSpanContext?.spanId ?? ''))).toBe(true);
  const told = JSON.stringify(spans.map(({ name, attributes, events }) => [name, attributes, events]));
  expect(told).not.toContain('my wish');
  expect(told).not.toContain(KEY);
});
