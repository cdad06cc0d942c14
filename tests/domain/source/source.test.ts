import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../../domain/shared/decider.ts';
import {
  type RecordFailed,
  type RecordIndexed,
  type RecordSkipped,
  type Remove,
  source,
  type SourceCommand,
} from '../../../domain/source/decider.ts';
import { type SourceEvent } from '../../../domain/source/events.ts';
import { historyOf, refusalOf } from '../../support/decisions.ts';

const visit = {
  dataSourceId: 'ds-1',
  sourceType: 'crawl',
  locator: 'https://a.example/p',
  jobId: 'job-1',
  generation: 1,
  at: 10,
} as const;
const INDEXED: RecordIndexed = {
  type: 'record_indexed',
  ...visit,
  url: 'https://a.example/p',
  title: 'Page',
  fileType: 'html',
  mediaType: 'text/html',
  raw: { sha256: 'aa', bytes: 10 },
  chunkSet: { sha256: 'bb', bytes: 20, chunks: 2 },
};
const SKIPPED: RecordSkipped = { type: 'record_skipped', ...visit, reason: 'robots' };
const FAILED: RecordFailed = { type: 'record_failed', ...visit, code: 'timed_out', message: 'no answer' };
const SWEPT: Remove = { type: 'remove', reason: 'not_seen', jobId: 'job-2', generation: 2, at: 20 };
const PURGED: Remove = { ...SWEPT, reason: 'data_source_deleted' };
const TEXT = { key: 'k', val: 'v', type: 'string' } as const;
const REPLACED: SourceCommand = { type: 'replace_metadata', records: [TEXT], at: 30 };
const CLEARED: SourceCommand = { type: 'delete_metadata', at: 40 };

/** The events of `command` after `earlier`. */
const decided = (command: SourceCommand, ...earlier: readonly SourceCommand[]): readonly SourceEvent[] =>
  source.decide(command, historyOf(source, earlier).state);
const stateAfter = (...commands: readonly SourceCommand[]) => historyOf(source, commands).state;
const laterJob = { jobId: 'job-2', generation: 2, at: 20 } as const;

describe('a visit to a source', () => {
  it.each([
    ['bytes', { raw: { sha256: 'a2', bytes: 10 } }],
    ['chunks', { chunkSet: { sha256: 'b2', bytes: 20, chunks: 2 } }],
    ['title', { title: 'New' }],
    ['URL', { url: 'https://a.example/q' }],
  ])('that finds another %s is recorded', (_, change) => {
    expect(decided({ ...INDEXED, ...change }, INDEXED)).toMatchObject([{ type: 'SourceIndexed', ...change }]);
  });

  it('that fails twice the same way is recorded once', () => {
    expect(decided({ ...FAILED, ...laterJob }, FAILED)).toStrictEqual([]);
    expect(decided({ ...FAILED, code: 'too_large' }, FAILED)).toHaveLength(1);
    expect(decided({ ...FAILED, message: 'reset' }, FAILED)).toHaveLength(1);
    expect(decided(FAILED, FAILED, INDEXED)).toHaveLength(1);
  });

  it('that is skipped twice for the same reason is recorded once', () => {
    expect(decided({ ...SKIPPED, ...laterJob }, SKIPPED)).toStrictEqual([]);
    expect(decided({ ...SKIPPED, reason: 'too large' }, SKIPPED)).toHaveLength(1);
    expect(decided(SKIPPED, SKIPPED, INDEXED)).toHaveLength(1);
    expect(decided({ ...SKIPPED, reason: 'timed_out: no answer' }, FAILED)).toHaveLength(1);
  });
});

describe('a removed source', () => {
  it('lives again when it is indexed again, without its old metadata', () => {
    const again: RecordIndexed = { ...INDEXED, jobId: 'job-3', generation: 3, at: 50 };
    expect(decided(again, INDEXED, REPLACED, SWEPT)).toMatchObject([
      { type: 'SourceIndexed', generation: 3 },
    ]);
    expect(stateAfter(INDEXED, REPLACED, SWEPT, again)).toMatchObject({ status: 'indexed', metadata: [] });
  });

  it('was not seen by the job that swept it, nor by a newer one', () => {
    const seenAgain = { ...INDEXED, ...laterJob, title: 'Changed' };
    expect(decided(SWEPT, INDEXED, seenAgain)).toStrictEqual([]);
    expect(decided({ ...SWEPT, generation: 1 }, seenAgain)).toStrictEqual([]);
  });

  it('may have been recorded by the very job that found it gone', () => {
    const gone: Remove = { ...SWEPT, reason: 'gone' };
    expect(decided(gone, { ...INDEXED, ...laterJob })).toMatchObject([{ reason: 'gone', generation: 2 }]);
    expect(decided({ ...gone, generation: 1 }, { ...INDEXED, ...laterJob })).toStrictEqual([]);
  });

  it('never comes back once its data source is deleted, whatever a late worker reports', () => {
    const late = [INDEXED, SKIPPED, FAILED].map((command) => ({ ...command, generation: 9 }));
    for (const command of late) expect(decided(command, INDEXED, PURGED)).toStrictEqual([]);
    expect(decided({ ...PURGED, generation: 0 }, { ...INDEXED, generation: 5 })).toHaveLength(1);
  });
});

describe('the state of a source', () => {
  it('says in one text why it was skipped or failed, and nothing once it is indexed', () => {
    const about = { title: 'Page', url: 'https://a.example/p' };
    expect(stateAfter(SKIPPED)).toMatchObject({ reason: 'robots' });
    expect(stateAfter({ ...SKIPPED, ...about })).toMatchObject({
      reason: 'robots\nPage\nhttps://a.example/p',
    });
    expect(stateAfter({ ...FAILED, title: 'Page' })).toMatchObject({ reason: 'timed_out: no answer\nPage' });
    expect(stateAfter(FAILED, INDEXED)).toMatchObject({ reason: '' });
    expect(stateAfter(FAILED, SWEPT)).toMatchObject({ reason: '' });
  });
});

describe('metadata of a source', () => {
  it.each([
    ['key', [{ ...TEXT, key: 'other' }]],
    ['value', [{ ...TEXT, val: 'other' }]],
    ['type', [{ ...TEXT, type: 'date' as const }]],
    ['record more', [TEXT, { ...TEXT, key: 'l' }]],
    ['record less', []],
    ['second record', [TEXT, { ...TEXT, key: 'second', val: 'other' }], [TEXT, { ...TEXT, key: 'second' }]],
  ])('with another %s is a change', (_, records, before = [TEXT]) => {
    const command = { type: 'replace_metadata', records, at: 50 } as const;
    expect(decided(command, INDEXED, { ...REPLACED, records: before })).toHaveLength(1);
  });

  it('is deleted', () => {
    expect(decided(CLEARED, INDEXED, REPLACED)).toStrictEqual([{ type: 'SourceMetadataDeleted', at: 40 }]);
    expect(stateAfter(INDEXED, REPLACED, CLEARED)).toMatchObject({ metadata: [] });
  });

  it.each([
    ['replaced', REPLACED],
    ['deleted', CLEARED],
  ])('is not %s where there is no source', (_, command) => {
    expect(refusalOf(() => decided(command))).toBe('not_found');
    expect(refusalOf(() => decided(command, INDEXED, SWEPT))).toBe('not_found');
    expect(refusalOf(() => decided(command, INDEXED, PURGED))).toBe('not_found');
  });

  it('that its provider gives is recorded with the document, and again only when the provider says otherwise', () => {
    const author = { key: 'author', val: 'Ada', type: 'string' } as const;
    const given = { ...INDEXED, metadata: [author] };
    expect(decided(given)).toStrictEqual([
      { ...INDEXED, type: 'SourceIndexed' },
      { type: 'SourceMetadataReplaced', records: [author], provided: [author], at: 10 },
    ]);
    expect(decided({ ...given, ...laterJob }, given)).toStrictEqual([]);
    expect(decided({ ...given, ...laterJob }, given, CLEARED)).toStrictEqual([]);
    expect(decided({ ...given, metadata: [] }, given)).toMatchObject([{ records: [], provided: [] }]);
    expect(decided({ ...INDEXED, ...laterJob }, given)).toStrictEqual([]);
    expect(decided(given, given, SWEPT, { ...INDEXED, generation: 3 })).toStrictEqual([]);
  });

  it('that a caller wrote stays where its provider gives the same key', () => {
    const author = { key: 'author', val: 'Ada', type: 'string' } as const;
    const written = { ...author, val: 'Grace' };
    const records = { ...REPLACED, records: [written] };
    const [event] = decided({ ...INDEXED, metadata: [author, TEXT] }, INDEXED, records);
    expect(event).toMatchObject({ records: [written, TEXT], provided: [author, TEXT] });
  });
});

describe('every source', () => {
  const generation = fc.integer({ min: 1, max: 4 });
  const command: fc.Arbitrary<SourceCommand> = fc.oneof(
    fc
      .record({ of: fc.constantFrom(INDEXED, SKIPPED, FAILED), generation, title: fc.constantFrom('a', 'b') })
      .map(({ of, generation: by, title }) => ({
        ...of,
        ...(of.type === 'record_indexed' && { title }),
        generation: by,
      })),
    fc
      .record({
        reason: fc.constantFrom(
          'not_seen' as const,
          'gone' as const,
          'data_source_deleted' as const,
          'requested' as const,
        ),
        generation,
      })
      .map((given): Remove => ({ ...SWEPT, ...given })),
    fc.constantFrom(REPLACED, CLEARED),
  );

  it('is told of each change once: the same command again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 15 }), (commands) => {
        let state = source.initial;
        for (const one of commands) {
          const mustExist = state.status !== 'none' && state.status !== 'removed';
          if (!mustExist && (one.type === 'replace_metadata' || one.type === 'delete_metadata')) continue;
          state = fold(source, source.decide(one, state), state);
          const rests = state.status === 'none' || state.status === 'removed';
          if (rests && (one.type === 'replace_metadata' || one.type === 'delete_metadata')) continue;
          expect(source.decide(one, state)).toStrictEqual([]);
        }
      }),
    );
  });

  it('takes facts of jobs in their order alone', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 15 }), (commands) => {
        const facts: number[] = [];
        let state = source.initial;
        for (const one of commands) {
          if (one.type === 'replace_metadata' || one.type === 'delete_metadata') continue;
          const events = source.decide(one, state);
          const [event] = events;
          state = fold(source, events, state);
          if (event === undefined || !('generation' in event)) continue;
          if (event.type !== 'SourceRemoved' || event.reason !== 'data_source_deleted') {
            facts.push(event.generation);
          }
        }
        expect(facts).toStrictEqual(facts.toSorted((a, b) => a - b));
      }),
    );
  });
});
