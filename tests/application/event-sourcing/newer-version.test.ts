import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createAccess, policyId, subjectId } from '../../../application/access/authz/access.ts';
import { createAuditTrail } from '../../../application/sources/data-sources/audit-trail.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../application/event-sourcing/execute.ts';
import { createSourceGroupOperations } from '../../../application/sources/source-groups/operations.ts';
import {
  authzPolicyStream,
  authzSubjectStream,
  conversationStream,
  dataSourceStream,
  tagStream,
} from '../../../application/event-sourcing/streams.ts';
import { createTagBindingOperations } from '../../../application/sources/tags/binding-operations.ts';
import { authzPolicy } from '../../../domain/authz/decider.ts';
import { dataSource } from '../../../domain/data-source/index.ts';
import { tag } from '../../../domain/tag/decider.ts';
import { created, START } from '../../domain/data-source/job-steps.ts';
import { scripted } from '../../support/completions.ts';
import { completionsOnce } from '../../support/completions-once.ts';
import { callerOf, refused } from '../../support/conversations.ts';
import { countingIds } from '../../support/ids.ts';
import { writeAsNewer } from '../../support/newer-version.ts';

const GROUP = '0199d2a0-0000-7000-8000-000000000001';
const TAG = '0199d2a0-0000-7000-8000-000000000002';
const CALLER = callerOf('acme');
const hash = { sha256: (data: string | Uint8Array) => Buffer.from(data).toString('hex').padStart(64, '0') };

/** A crawl and a tag of a tenant. */
const setUp = async () => {
  const store = createMemoryEventStore(() => START);
  const codec = createEventCodec();
  const ids = countingIds();
  const execute = createExecute({ store, codec, ids });
  await execute(dataSource, dataSourceStream(GROUP), created(dataSource.initial, START), CALLER.context);
  const named = { type: 'create', tagId: TAG, name: 'x', description: '', at: START } as const;
  await execute(tag, tagStream('acme'), named, CALLER.context);
  const deps = { store, codec, ids, execute, hash, clock: { now: () => START } };
  return { ...deps, deps };
};
const unused = null as never;

describe('what a newer version of the program has written', () => {
  it('to the stream of an Idempotency-Key refuses the completion that comes with the key', async () => {
    const once = completionsOnce(scripted('Yes.'));
    await once.ask('k1');
    const streams = once.written.map(([name]) => name);
    await writeAsNewer(
      once.store,
      streams.find((name) => name.startsWith('idempotency-'))!,
    );
    expect(await refused(once.ask('k1'))).toBe('unavailable');
  });

  it('to a conversation refuses to go on with it, and to replay an answer of it', async () => {
    const once = completionsOnce(scripted('Yes.'));
    const { completion } = await once.ask('k1');
    const { conversationId } = completion;
    await writeAsNewer(once.store, conversationStream(conversationId));
    expect(await refused(once.ask('k1'))).toBe('unavailable');
    expect(await refused(once.ask(undefined, { conversationId }))).toBe('unavailable');
  });

  it('as the first event of a data source refuses its trail: of what kind it is cannot be said', async () => {
    const { store, codec, deps } = await setUp();
    const id = '0199d2a0-0000-7000-8000-000000000009';
    await writeAsNewer(store, dataSourceStream(id), 'DataSourceRegistered.v9');
    const trail = createAuditTrail({ ...deps, feed: store, codec });
    expect(await refused(trail.page(CALLER, 'crawl', id, { limit: 5 }))).toBe('unavailable');
    const signal = new AbortController().signal;
    expect(await refused(trail.follow(CALLER, 'crawl', id, { signal }))).toBe('unavailable');
  });

  it('to a data source refuses to bind a tag to it, and to rename it', async () => {
    const { store, deps } = await setUp();
    const { bind } = createTagBindingOperations({ ...deps, view: unused });
    await writeAsNewer(store, dataSourceStream(GROUP), 'DataSourceSealed');
    const before = (await store.readStream(tagStream('acme'))).length;
    const request = { tagId: TAG, sourceGroupId: GROUP };
    expect(await refused(bind(CALLER, request, undefined))).toBe('unavailable');
    expect(await store.readStream(tagStream('acme'))).toHaveLength(before);
    const { rename } = createSourceGroupOperations({
      ...deps,
      view: unused,
      accessTo: unused,
      settings: unused,
    });
    expect(await refused(rename(CALLER, GROUP, 'y'))).toBe('unavailable');
  });

  it('to the tags of a tenant refuses to bind one', async () => {
    const { store, deps } = await setUp();
    await writeAsNewer(store, tagStream('acme'));
    const { bind } = createTagBindingOperations({ ...deps, view: unused });
    const request = { tagId: TAG, sourceGroupId: GROUP };
    expect(await refused(bind(CALLER, request, 'key'))).toBe('unavailable');
  });

  it.each(['policy', 'principal'])('to an authz %s lets nothing be read by it', async (what) => {
    const { store, execute, deps } = await setUp();
    const stream = authzPolicyStream(policyId(hash, 'acme', 'mine'));
    const rules = { description: '', sourceMetadata: null, chunkMetadata: null };
    const command = { type: 'create', policyId: TAG, name: 'mine', ...rules, at: START } as const;
    await execute(authzPolicy, stream, command, CALLER.context);
    const accessTo = createAccess({ ...deps, catalog: { metadataTypes: async () => new Map() } });
    const asked = { authzPolicy: 'mine', principalId: 'ann' };
    expect(await refused(accessTo(CALLER, asked))).toBeNull();
    const subject = authzSubjectStream(subjectId(hash, 'acme', 'ann'));
    await writeAsNewer(store, what === 'policy' ? stream : subject);
    expect(await refused(accessTo(CALLER, asked))).toBe('unavailable');
  });
});
