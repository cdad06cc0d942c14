import { describe, expect, it } from 'vitest';
import { settingInForce } from '../../../application/sources/ingestion/parameters-in-force.ts';
import { dataSourceWithRow } from '../../../application/sources/data-sources/data-source-with-row.ts';
import type { DomainEvent } from '../../../application/event-sourcing/domain-event.ts';
import type { Fold } from '../../../application/event-sourcing/fold.ts';
import { pushedSource } from '../../../application/sources/pushes/pushed-source.ts';
import { policyWithRow } from '../../../application/redaction/policy-with-row.ts';
import { apiKey } from '../../../domain/api-key/index.ts';
import { authzPolicy, authzSubject } from '../../../domain/authz/index.ts';
import { dataSource } from '../../../domain/data-source/index.ts';
import { ingestionSetting } from '../../../domain/ingestion-setting/index.ts';
import { redactionPolicy } from '../../../domain/redaction/index.ts';
import { secret } from '../../../domain/secret/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { source } from '../../../domain/source/index.ts';
import { tag } from '../../../domain/tag/index.ts';
import { EXAMPLES } from './event-examples.ts';
import written from './written-states.json' with { type: 'json' };

const pick = <T extends DomainEvent['type']>(type: T, index = 0) => EXAMPLES[type][index]!;
const ofJobs: readonly DomainEvent[] = [
  pick('DataSourceRegistered'),
  pick('JobQueued'),
  pick('JobClaimed'),
  pick('JobStarted'),
  pick('JobProgressed'),
  pick('JobRequeued'),
  pick('JobClaimed'),
  pick('FilesUploaded'),
  pick('JobCancelRequested'),
];

/** Every fold that is written down, with a history that fills its state. */
const FOLDS: readonly (readonly [Fold<never, never>, readonly DomainEvent[]])[] = (
  [
    [dataSource, ofJobs],
    [dataSourceWithRow, ofJobs],
    [
      ingestionSetting,
      [pick('IngestionSettingCreated'), pick('IngestionSettingRenamed'), pick('ScheduleSet')],
    ],
    [settingInForce, [pick('IngestionSettingCreated'), pick('IngestionParametersChanged')]],
    [source, [pick('SourceIndexed'), pick('SourceMetadataReplaced')]],
    [pushedSource, [{ ...pick('SourceIndexed'), language: 'de' }, pick('SourceMetadataReplaced')]],
    [tag, [pick('TagCreated'), pick('TagChanged'), pick('TagBound')]],
    [
      apiKey,
      [
        pick('ApiKeyIssued'),
        pick('ApiKeyRotated'),
        { ...pick('ApiKeyIssued'), keyId: 'gone' },
        { ...pick('ApiKeyRevoked'), keyId: 'gone' },
      ],
    ],
    [authzPolicy, [pick('AuthzPolicyCreated'), pick('AuthzPolicyChanged')]],
    [authzSubject, [pick('AuthzAttributesSet')]],
    [redactionPolicy, [pick('RedactionPolicyCreated')]],
    [secret, [pick('SecretCreated'), pick('SecretAttached')]],
    [policyWithRow, [pick('RedactionPolicyCreated'), pick('RedactionPolicyChanged')]],
  ] as unknown as readonly (readonly [Fold<never, never>, readonly DomainEvent[]])[]
).map(([one, history]) => [one, history] as const);

describe.each(FOLDS.map(([of, history]) => ({ name: of.shape!.name, of, history })))(
  'the state of $name',
  ({ name, of, history }) => {
    const { toJson, fromJson, version } = of.shape!;
    const state = fold(of, history as readonly never[], of.initial);
    const asText = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

    it('is written as it was when this version of its shape was made: a change is a new version', () => {
      const known = written as Readonly<Record<string, unknown>>;
      expect({ [`${name} ${version}`]: asText(toJson(state)) }).toStrictEqual({
        [`${name} ${version}`]: known[`${name} ${version}`],
      });
    });

    it('comes back as it was, and so does that of every part of its history', () => {
      for (let length = 0; length <= history.length; length += 1) {
        const before = fold(of, history.slice(0, length) as unknown as readonly never[], of.initial);
        const back = fromJson(asText(toJson(before)));
        const after = fold(of, history.slice(length) as unknown as readonly never[], back);
        expect(asText(toJson(after))).toStrictEqual(asText(toJson(state)));
      }
    });
  },
);

it('a source of a deleted data source takes no fact of any job again, after it was written down too', () => {
  const removed = { ...pick('SourceRemoved'), reason: 'data_source_deleted' } as const;
  const state = fold(source, [pick('SourceIndexed'), removed], source.initial);
  const back = source.shape!.fromJson(JSON.parse(JSON.stringify(source.shape!.toJson(state))));
  expect(back).toStrictEqual(state);
});
