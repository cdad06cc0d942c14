import { type StoredValue, createSecretTexts } from '../../../application/access/secrets/stored-value.ts';
import {
  type PromptSources,
  bodiesOfAnswer,
  parsePages,
  parseQuestion,
  parsePromptSources,
  textOfQuestion,
} from '../../../application/answers/conversations/message-text.ts';
import type { DomainEvent } from '../../../application/event-sourcing/aggregates.ts';
import {
  STORED,
  UnknownEventType,
  createEventCodec,
  decodeKnown,
  project,
  readMetadata,
  streamIdOf,
} from '../../../application/event-sourcing/event-codec.ts';
import { secretStream } from '../../../application/event-sourcing/streams.ts';
import { checkAppend } from '../../../application/ports/event-checks.ts';
import type { CommandContext } from '../../../application/ports/event-metadata.ts';
import type { RecordedEvent } from '../../../application/ports/event-store.ts';
import { createMemoryVault } from '../../support/memory/vault.ts';
import { EXAMPLES, STORED_EVENTS, storedExamples } from './event-examples.ts';
import { KINDS as DATA_SOURCES } from '../../../adapters/http/data-sources/kinds.ts';
import { readFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const codec = createEventCodec();

const ID = '01900000-0000-7000-8000-000000000001';

const CONTEXT: CommandContext = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'key-1' },
  correlationId: 'request-1',
  causationId: 'command-1',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'vendor=1',
};

/** The stored names of a type, each with the version that it stands for. */
const storedNames = Object.entries(STORED).flatMap(([type, { name, earlier = [] }]) =>
  [...earlier.map((old) => old.name), name].map((stored) => [stored, type as DomainEvent['type']] as const),
);

describe('the event codec', () => {
  it.each(Object.entries(STORED))(
    'reads %s as any version stored it, and writes it so again',
    (type, { name, earlier = [] }) => {
      const events = EXAMPLES[type as DomainEvent['type']];
      const stored = events.map((event) => codec.encode(event, ID, CONTEXT));
      expect(stored.map(({ data }) => data)).toStrictEqual(storedExamples(name));
      for (const one of stored) expect(() => checkAppend('dataSource-1', [one])).not.toThrow();
      for (const old of earlier) {
        const read = storedExamples(old.name).map((data) => codec.decode({ type: old.name, data }));
        expect(read).toStrictEqual(events);
      }
    },
  );

  it('has a stored example of every name, and no other', () => {
    const files = readdirSync(STORED_EVENTS).map((file) => file.replace(/\.json$/, ''));
    expect(files.toSorted()).toStrictEqual(storedNames.map(([name]) => name).toSorted());
  });

  it('has a stored example of each kind of data source', () => {
    const kinds = DATA_SOURCES.map(({ kind }) => kind).toSorted();
    const subjects = EXAMPLES.DataSourceRegistered.map(({ subject }) => subject.kind);
    const parameters = EXAMPLES.IngestionSettingCreated.map((event) => event.parameters.kind);
    for (const stored of [subjects, parameters]) expect([...new Set(stored)].toSorted()).toEqual(kinds);
  });

  it('refuses a stored type that it does not know', () => {
    expect(() => codec.decode({ type: 'JobQueued.v99', data: {} })).toThrow(UnknownEventType);
    expect(() => codec.decode({ type: 'toString', data: {} })).toThrow(UnknownEventType);
    expect(() => codec.decode({ type: 'JobQueued.v99', data: {} })).toThrow(
      expect.objectContaining({
        name: 'UnknownEventType',
        message: 'this version of the program does not know event type JobQueued.v99',
      }),
    );
  });

  it('takes an event of a newer version for none where others can be read without it', () => {
    expect(decodeKnown(codec, { type: 'JobQueued.v99', data: {} })).toBeNull();
    expect(decodeKnown(codec, { type: 'JobStatusLost', data: { job_id: 'j', at: 1 } })).toEqual({
      type: 'JobStatusLost',
      jobId: 'j',
      at: 1,
    });
    const failing = { ...codec, decode: () => JSON.parse('{') as never };
    expect(() => decodeKnown(failing, { type: 'JobStatusLost', data: {} })).toThrow(SyntaxError);
  });
});

describe('upcasters', () => {
  const upcasting = createEventCodec({
    ...STORED,
    JobStarted: {
      name: 'JobStarted.v3',
      schemaVersion: 3,
      earlier: [
        { name: 'JobStarted', upcast: ({ job, ...rest }) => ({ ...rest, job_id: job ?? '' }) },
        { name: 'JobStarted.v2', upcast: (data) => ({ ...data, attempt: Number(data['attempt'] ?? 0) + 1 }) },
      ],
    },
  });
  const newest: DomainEvent = { type: 'JobStarted', jobId: 'j', attempt: 1, at: 5 };

  it.each([
    ['JobStarted', { job: 'j', at: 5 }],
    ['JobStarted.v2', { job_id: 'j', at: 5 }],
    ['JobStarted.v3', { job_id: 'j', attempt: 1, at: 5 }],
  ])('read %s in the newest shape', (type, data) => {
    expect(upcasting.decode({ type, data })).toStrictEqual(newest);
  });
});

describe('event metadata', () => {
  const lost: DomainEvent = { type: 'JobStatusLost', jobId: 'j', at: 1 };

  it('holds who caused the event, why, and in which trace, and none of it in the data', () => {
    const { data, metadata } = codec.encode(lost, ID, CONTEXT);
    expect(data).toStrictEqual({ job_id: 'j', at: 1 });
    expect(metadata).toStrictEqual({
      tenant: 'acme',
      actor: { kind: 'api_key', id: 'key-1' },
      $correlationId: 'request-1',
      $causationId: 'command-1',
      traceparent: CONTEXT.traceparent,
      tracestate: 'vendor=1',
      schemaVersion: 1,
    });
    expect(readMetadata(metadata)).toStrictEqual({ ...CONTEXT, schemaVersion: 1 });
  });
});

describe('a projected event', () => {
  it('is decoded and knows where it stands', () => {
    const event: DomainEvent = { type: 'JobStatusLost', jobId: 'j', at: 1 };
    const place = { stream: 'dataSource-019a-b', revision: 4n, position: '0007', recordedAt: 9 };
    const recorded: RecordedEvent = { ...codec.encode(event, ID, CONTEXT), ...place };
    expect(project(codec, recorded)).toStrictEqual({
      id: ID,
      stream: 'dataSource-019a-b',
      streamId: '019a-b',
      revision: 4n,
      position: '0007',
      recordedAt: 9,
      event,
      metadata: { ...CONTEXT, schemaVersion: 1 },
    });
    expect(streamIdOf('apiKey-tenant-1')).toBe('tenant-1');
  });
});

const page = { url: 'https://example.org/größer', title: 'A page' };

const SHOWN: PromptSources = {
  contentIds: ['019a0000-0000-7000-8000-00000000000a', '019a0000-0000-7000-8000-00000000000b'],
  pages: [page],
  queries: ['pump pressure'],
  suggestion: '<div>more</div>',
};

const KEPT: StoredValue = {
  value: { type: 'oauth_refresh', clientId: 'client', clientSecret: 'größer', refreshToken: 'token' },
  access: { token: 't', expiresAt: 1_763_650_000_000, exchange: 'https://accounts.example/token read' },
};

const QUESTION = [
  { role: 'assistant', content: 'Which pump?' },
  { role: 'user', content: 'The größer one' },
] as const;

const [tenant, id, valueId] = ['acme', '019a0000-0000-7000-8000-00000000000c', 'v1'];

const textOfSecret = async (): Promise<string | undefined> => {
  const vault = createMemoryVault();
  const texts = createSecretTexts(vault);
  await texts.createKey(tenant, id);
  await texts.put(tenant, id, valueId, KEPT);
  return (await vault.read(tenant, secretStream(id), [valueId]))?.get(valueId);
};

const readSecret = async (text: string): Promise<StoredValue | null> => {
  const vault = createMemoryVault();
  await vault.create(tenant, secretStream(id));
  await vault.put(tenant, secretStream(id), [{ id: valueId, text }]);
  return createSecretTexts(vault).read(tenant, id, valueId);
};

const bodyOf = (place: number): string | undefined => bodiesOfAnswer('a', 'text', [page], SHOWN)[place]?.text;

/** A file holds how a text is written now, and then how earlier versions wrote it: all of them are read for ever. */
const KINDS = [
  ['question', QUESTION, () => textOfQuestion(QUESTION), parseQuestion],
  ['web-citations', [page], () => bodyOf(1), parsePages],
  ['shown', SHOWN, () => bodyOf(2), parsePromptSources],
  ['secret-value', KEPT, textOfSecret, readSecret],
] as const;

describe('a text that lies in the vault', () => {
  const FOLDER = new URL('stored-texts/', import.meta.url);

  it.each(KINDS)('is read as any version wrote it: %s', async (name, meant, write, read) => {
    const stored: readonly unknown[] = JSON.parse(await readFile(new URL(`${name}.json`, FOLDER), 'utf8'));
    for (const one of stored) expect(await read(JSON.stringify(one))).toEqual(meant);
    expect(JSON.parse((await write()) ?? '')).toEqual(stored[0]);
  });
});
