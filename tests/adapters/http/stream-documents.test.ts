import { beforeAll, describe, expect, it } from 'vitest';
import { createSchemaCheck } from '../../support/openapi-check.ts';
import { completions, scripted } from '../../support/completions.ts';
import { runApp, type RunningApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();
let app: RunningApp;
let check: ReturnType<typeof createSchemaCheck>;
beforeAll(async () => {
  app = await runApp();
  check = createSchemaCheck(app.document);
});

const dataOf = (body: string): { type: string; name?: string }[] =>
  body
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)));

describe('the document', () => {
  it('has every event of the agent-UI protocol that completions send, to the field', async () => {
    const body = { stream: true, messages: [{ role: 'user', content: 'Is it so?' }] };
    const headers = { accept: 'text/event-stream' };
    const { complete } = completions(scripted({ kind: 'reasoning', text: 'Hm.' }, 'It is.'));
    const thinking = await runApp(() => ({ complete }));
    const events = dataOf((await thinking.ask('POST', '/api/v1/completions', { body, headers })).body);
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set([
        'RUN_STARTED',
        'CUSTOM',
        'REASONING_START',
        'REASONING_MESSAGE_START',
        'REASONING_MESSAGE_CONTENT',
        'REASONING_MESSAGE_END',
        'REASONING_END',
        'TEXT_MESSAGE_START',
        'TEXT_MESSAGE_CONTENT',
        'TEXT_MESSAGE_END',
        'RUN_FINISHED',
      ]),
    );
    for (const event of [...events, { type: 'RUN_ERROR', message: 'it broke', code: 'provider_error' }]) {
      check('AgUiEvent', event);
      expect(() => check('AgUiEvent', { ...event, more: 1 })).toThrow('no AgUiEvent');
    }
  });

  it('says what the parts of each stream are', () => {
    const partOf = (path: string, method: string, type: string): unknown => {
      const item = app.document.paths[path]?.[method] as {
        responses: { 200: { content: Record<string, { schema: { contentSchema?: object } }> } };
      };
      return item.responses[200].content[type]?.schema.contentSchema;
    };
    const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(partOf('/completions', 'post', 'text/event-stream')).toEqual(named('AgUiEvent'));
    expect(partOf('/crawls/{id}/events', 'get', 'text/event-stream')).toEqual(named('AuditEntry'));
    for (const type of ['text/event-stream', 'application/x-ndjson']) {
      expect(partOf('/events', 'get', type)).toEqual(named('LogEvent'));
    }
  });
});
