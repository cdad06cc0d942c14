import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../../application/event-sourcing/aggregates.ts';
import { createEventCodec, project } from '../../../application/event-sourcing/event-codec.ts';
import { createPastReader, createReadStream } from '../../../application/history/past-reader.ts';
import { BEGINNING } from '../../../application/ports/event-store.ts';
import * as folds from '../../../application/read-models/row-folds.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { EXAMPLES } from '../event-sourcing/event-examples.ts';

type Type = DomainEvent['type'];
/** The events of a record: what begins it, what changes it, what ends it, and the stream that holds them. */
interface Kind {
  readonly fold: folds.RowFold<{ readonly revision: bigint }>;
  readonly begins: Type;
  readonly changes: readonly Type[];
  readonly ends: readonly Type[];
  /** Records that share one stream. */
  readonly shared?: true;
}
const kind = (
  fold: unknown,
  begins: Type,
  changes: readonly Type[],
  ends: readonly Type[],
  more = {},
): Kind => ({
  fold: fold as Kind['fold'],
  begins,
  changes,
  ends,
  ...more,
});

const KINDS: { readonly [name: string]: Kind } = {
  dataSource: kind(
    folds.dataSourceFold,
    'DataSourceRegistered',
    [
      'JobQueued',
      'JobClaimed',
      'JobStarted',
      'JobProgressed',
      'JobFailed',
      'JobSucceeded',
      'DataSourceDeletionRequested',
    ],
    ['DataSourceDeleted'],
  ),
  ingestionSetting: kind(
    folds.ingestionSettingFold,
    'IngestionSettingCreated',
    ['IngestionSettingRenamed', 'IngestionParametersChanged', 'ScheduleSet', 'ScheduleRemoved'],
    [],
  ),
  source: kind(
    folds.sourceFold,
    'SourceIndexed',
    [
      'SourceIndexed',
      'SourceSkipped',
      'SourceFailed',
      'SourceRemoved',
      'SourceMetadataReplaced',
      'SourceMetadataDeleted',
    ],
    [],
  ),
  secret: kind(
    folds.secretFold,
    'SecretCreated',
    ['SecretChanged', 'SecretValueReplaced', 'SecretAttached'],
    ['SecretDeleted'],
  ),
  apiKey: kind(folds.apiKeyFold, 'ApiKeyIssued', ['ApiKeyRotated'], ['ApiKeyRevoked'], { shared: true }),
  redactionPolicy: kind(
    folds.redactionPolicyFold,
    'RedactionPolicyCreated',
    ['RedactionPolicyChanged'],
    ['RedactionPolicyDeleted'],
  ),
  authzPolicy: kind(
    folds.authzPolicyFold,
    'AuthzPolicyCreated',
    ['AuthzPolicyChanged', 'AuthzPolicyDeleted', 'AuthzPolicyCreated'],
    [],
  ),
  authzSubject: kind(
    folds.authzSubjectFold,
    'AuthzAttributesSet',
    ['AuthzAttributesSet', 'AuthzAttributesDeleted'],
    [],
  ),
  conversation: kind(
    folds.conversationFold,
    'ConversationStarted',
    ['UserMessageAdded', 'AnswerBegun', 'AnswerFinished'],
    ['ConversationDeleted'],
  ),
  agentThread: kind(folds.agentThreadFold, 'AgentThreadStarted', ['RunAdmitted'], ['AgentThreadDeleted']),
};

const TENANT = '0199d2a0-0000-7000-8000-00000000aaaa';
const CONTEXT = {
  tenant: TENANT,
  actor: { kind: 'system', id: 's' },
  correlationId: 'c',
  causationId: 'c',
} as const;
const codec = createEventCodec();
const uuid = (n: number): string => `0199d2a0-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** What happens next: which of three records it is about, which event, and how many milliseconds later. */
const steps = fc.array(fc.tuple(fc.nat(2), fc.nat(1_000), fc.nat(2)), { maxLength: 25 });

/** A log of three records, with a row of each after each event as the view would hold it. */
const play = async (
  name: string,
  { fold, begins, changes, ends, shared }: Kind,
  chosen: readonly (readonly [number, number, number])[],
) => {
  let now = 1_790_000_000_000;
  const store = createMemoryEventStore(() => now);
  const next = new Map<string, bigint>();
  const over = new Set<string>();
  const begun = new Set<string>();
  for (const [n, [record, choice, later]] of chosen.entries()) {
    const key = uuid(record);
    if (over.has(key)) continue;
    const types = begun.has(key) ? [...changes, ...ends] : [begins];
    const type = types[choice % types.length]!;
    const examples = EXAMPLES[type] as readonly DomainEvent[];
    const example = examples[choice % examples.length]!;
    const event = shared === true ? ({ ...example, keyId: key } as DomainEvent) : example;
    const stream = `${name}-${shared === true ? TENANT : key}`;
    const revision = next.get(stream);
    await store.append(stream, revision ?? 'none', [codec.encode(event, uuid(1_000 + n), CONTEXT)]);
    next.set(stream, (revision ?? -1n) + 1n);
    begun.add(key);
    if (ends.includes(type)) over.add(key);
    now += later;
  }
  const { events } = await store.read(BEGINNING, {}, 1_000);
  const rows = new Map<string, { readonly revision: bigint } | null>();
  const shown = events.map((recorded) => {
    const projected = project(codec, recorded);
    const key = fold.keyOf(projected);
    const row = fold.fold(rows.get(key) ?? null, projected);
    rows.set(key, row);
    const visible = [...rows].map(
      ([id, one]) => [id, one !== null && fold.isHidden?.(one) !== true ? one : null] as const,
    );
    return { recorded, rows: new Map(visible) };
  });
  return { store, shown, streamOf: (key: string) => `${name}-${shared === true ? TENANT : key}` };
};

describe.each(Object.entries(KINDS))('a record of the past: %s', (name, of) => {
  it('is what its view held at every position and time, and tells whether it ended since', async () => {
    let ended = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (chosen) => {
        const { store, shown, streamOf } = await play(name, of, chosen);
        const read = createReadStream({ store, feed: store, codec });
        for (const [i, then] of shown.entries()) {
          const { position, recordedAt } = then.recorded;
          const byTime = shown.findLast(({ recorded }) => recorded.recordedAt <= recordedAt)!;
          for (const key of [uuid(0), uuid(1), uuid(2)]) {
            const at = createPastReader(read, { kind: 'position', position });
            const row = await at.row(of.fold, key, TENANT, streamOf(key));
            expect(row).toEqual(then.rows.get(key) ?? null);
            const gone = row && shown.slice(i + 1).find(({ rows }) => rows.get(key) === null);
            expect(at.endedAt(key)).toBe(gone?.recorded.recordedAt);
            ended += gone ? 1 : 0;
            const atTime = createPastReader(read, { kind: 'time', at: recordedAt });
            expect(await atTime.row(of.fold, key, TENANT, streamOf(key))).toEqual(
              byTime.rows.get(key) ?? null,
            );
          }
        }
        const stranger = createPastReader(read, { kind: 'position', position: '~' });
        expect(await stranger.row(of.fold, uuid(0), 'another', streamOf(uuid(0)))).toBeNull();
      }),
      { numRuns: 40 },
    );
    // A setting stays.
    expect(ended > 0).toBe(name !== 'ingestionSetting');
  });
});
