import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of more than ten seconds on two idle cores, longest first, below `tests/`. */
const LONGEST = [
  'journeys/backup',
  'journeys/restart',
  'journeys/rebuild',
  'journeys/operation',
  'journeys/killed-crawl',
  'journeys/embedded-postgres',
  'journeys/stress',
  'journeys/tenants',
  'journeys/endings',
  'journeys/roles',
  'journeys/master-key-rotation',
  'journeys/schedules',
  'journeys/start',
  'adapters/opensearch/search-engine',
];
/** The embedded project has the small files, which keep all workers busy to the end. */
const PROJECTS = ['eventstoredb', 'embedded'];

/**
 * What takes long is not left for the end, where one worker would go on alone. Files of one project stay together: a
 * worker that changes to another project begins anew.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification): readonly number[] => {
      const at = LONGEST.findIndex((name) => file.moduleId.endsWith(`/${name}.test.ts`));
      const isJourney = file.moduleId.includes('/journeys/');
      return [PROJECTS.indexOf(file.project.name), at === -1 ? LONGEST.length : at, isJourney ? 0 : 1];
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- not that of an array
    const ranks = new Map((await super.sort(files)).map((file) => [file, rank(file)]));
    const compare = (a: readonly number[], b: readonly number[]): number =>
      a.map((value, index) => value - b[index]!).find((difference) => difference !== 0) ?? 0;
    return [...ranks].toSorted(([, a], [, b]) => compare(a, b)).map(([file]) => file);
  }
}
