import { defineConfig } from 'vitest/config';
import LongestFirst from './tests/support/longest-first.ts';

/** What the store of the events can change: several processes, kills, and all that reads or cuts its streams. */
const OF_THE_STORE = [
  'audit',
  'erasure',
  'killed-crawl',
  'parallel-writes',
  'proofs',
  'rebuild',
  'rewind',
  'roles',
];

/** These journeys once more, of services that keep their events in EventStoreDB: see tests/support/backing.ts. */
const onEventStoreDb = {
  extends: true as const,
  test: {
    name: 'eventstoredb',
    env: { KNOWLEDGER_TEST_STORE: 'eventstoredb' },
    include: OF_THE_STORE.map((name) => `tests/journeys/${name}.test.ts`),
  },
};

export default defineConfig({
  test: {
    passWithNoTests: false,
    // A process for each file would import everything anew each time, half of what unit tests cost. So what a test
    // changes around itself, as the environment, it puts back.
    isolate: false,
    // Journeys mostly wait for other processes: more of them than cores keep a small machine busy.
    maxWorkers: 4,
    // initdb and the first query of a run may take long on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Journeys are of real processes on a machine that others use too. Where nobody looks on, what failed once is tried
    // once more, and the report says so; properties have the same values again.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // A sequencer that is named here would win over one that shuffles.
    ...(!process.argv.some((word) => word.startsWith('--sequence.shuffle')) && {
      sequence: { sequencer: LongestFirst },
    }),
    reporters: ['default'],
    globalSetup: ['tests/support/global-postgres.ts', 'tests/support/global-services.ts'],
    setupFiles: ['tests/support/same-random-values.ts'],
    projects: [
      { extends: true, test: { name: 'embedded', include: ['{tests,bench,stress}/**/*.test.ts'] } },
      onEventStoreDb,
    ],
    coverage: {
      provider: 'v8',
      include: ['domain/**', 'application/**', 'adapters/**', 'composition/**'],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: 'reports/coverage',
      thresholds: { 'domain/**': { lines: 95, branches: 90 } },
    },
  },
});
