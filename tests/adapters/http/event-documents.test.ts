import { beforeAll, describe, expect, it } from 'vitest';
import { redactForAudit } from '../../../application/audit/operations.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import type { DomainEvent } from '../../../application/event-sourcing/aggregates.ts';
import { EXAMPLES } from '../../application/event-sourcing/event-examples.ts';
import { createSchemaCheck } from '../../support/openapi-check.ts';
import { recorded } from './fake-records.ts';
import { logEventRecord } from '../../../adapters/http/routes/events.ts';
import { runApp, type RunningApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();
let app: RunningApp;
let check: ReturnType<typeof createSchemaCheck>;
beforeAll(async () => {
  app = await runApp();
  check = createSchemaCheck(app.document);
});

const codec = createEventCodec();
const CONTEXT = {
  tenant: 't',
  actor: { kind: 'worker', id: 'w' },
  correlationId: 'c',
  causationId: 'd',
} as const;
/** As the log tells it. */
const told = (event: DomainEvent) => {
  const stored = codec.encode(event, recorded(1).id, CONTEXT);
  const category = event.type.startsWith('ApiKey') ? 'apiKey' : 'dataSource';
  return logEventRecord(
    redactForAudit({ ...recorded(1), ...stored, stream: `${category}-1` }, (text) => text),
  );
};

describe('the document', () => {
  it.each(Object.entries(EXAMPLES))('has the data of %s, to the field', (type, examples) => {
    for (const example of examples as readonly DomainEvent[]) {
      const event = told(example);
      check('LogEvent', event);
      check(`${type}Data`, event.data);
      expect(() => check('LogEvent', { ...event, data: { ...event.data, more: 1 } })).toThrow('no LogEvent');
      expect(() => check('LogEvent', { ...event, type: 'JobForgotten' })).toThrow('no LogEvent');
    }
  });

  it('leads from each type to its schema', () => {
    const { LogEvent } = app.document.components.schemas as Record<
      string,
      { discriminator?: { mapping: object } }
    >;
    expect(Object.keys(LogEvent?.discriminator?.mapping ?? {}).toSorted()).toEqual(
      Object.keys(EXAMPLES).toSorted(),
    );
  });
});
