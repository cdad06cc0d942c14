import { defineConfig } from 'vitest/config';

/** Tests of what decides, without a database and without a service: each mutant is tried against those that reach it. */
export default defineConfig({
  test: {
    include: ['tests/domain/**/*.test.ts', 'tests/application/**/*.test.ts'],
    exclude: ['tests/application/connectors/**'],
    globalSetup: ['tests/support/global-postgres.ts'],
    setupFiles: ['tests/support/same-random-values.ts'],
    testTimeout: 60_000,
  },
});
