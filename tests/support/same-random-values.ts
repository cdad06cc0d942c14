import fc from 'fast-check';

/**
 * Properties meet the same random values in every run, so that a change is judged by what it changes and not by its
 * luck. `KNOWLEDGER_TEST_SEED` names other values: a number, or `random` for new ones in each file.
 */
const given = process.env['KNOWLEDGER_TEST_SEED'] ?? '20251120';
const seed = Number(given);
if (given !== 'random' && !Number.isInteger(seed)) {
  throw new Error(`KNOWLEDGER_TEST_SEED is "${given}": give a whole number, or "random".`);
}
if (given !== 'random') fc.configureGlobal({ seed });
