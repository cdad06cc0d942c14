import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    passWithNoTests: false,
    // initdb and the first query of a run may take long on a busy machine.
    testTimeout: 20_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/support/global-postgres.ts'],
    coverage: {
      provider: 'v8',
      include: ['domain/**', 'application/**', 'adapters/**', 'composition/**'],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: 'reports/coverage',
      thresholds: { 'domain/**': { lines: 95, branches: 90 } },
    },
  },
});
