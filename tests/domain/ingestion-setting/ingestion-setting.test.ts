import { describe, expect, it } from 'vitest';
import {
  type ChangeIngestionSetting,
  type CreateIngestionSetting,
  ingestionSetting,
  type IngestionSettingCommand,
  isSame,
} from '../../../domain/ingestion-setting/index.ts';
import { crawlParameters } from '../../support/crawl-parameters.ts';
import { historyOf, refusalOf } from '../../support/decisions.ts';

const DAILY = { rrule: 'FREQ=DAILY', start: 1_000 };
const WEEKLY = { rrule: 'FREQ=WEEKLY', start: 2_000 };
const CREATE: CreateIngestionSetting = {
  type: 'create',
  dataSourceId: 'ds-1',
  name: 'Docs',
  parameters: crawlParameters({ startUrl: 'https://a.example/', maxDepth: 2 }),
  schedule: DAILY,
  at: 10,
};
const change = (given: Omit<ChangeIngestionSetting, 'type' | 'at'>): ChangeIngestionSetting => ({
  type: 'change',
  at: 20,
  ...given,
});
const decided = (command: IngestionSettingCommand, ...earlier: readonly IngestionSettingCommand[]) =>
  ingestionSetting.decide(command, historyOf(ingestionSetting, earlier).state);
const stateAfter = (...commands: readonly IngestionSettingCommand[]) =>
  historyOf(ingestionSetting, commands).state;

describe('an ingestion setting', () => {
  it('is created once', () => {
    expect(decided(CREATE)).toStrictEqual([{ ...CREATE, type: 'IngestionSettingCreated' }]);
    expect(decided({ ...CREATE, at: 11 }, CREATE)).toStrictEqual([]);
  });

  it('is not changed before it is created', () => {
    expect(refusalOf(() => decided(change({ name: 'x' })))).toBe('not_found');
    const renamed = { type: 'IngestionSettingRenamed', name: 'x', at: 1 } as const;
    expect(() => ingestionSetting.evolve(ingestionSetting.initial, renamed)).toThrow(
      'before IngestionSettingCreated',
    );
  });

  it('takes other parameters, all but the place, and tells of them once, whole', () => {
    const parameters = { ...CREATE.parameters, maxDepth: 3, pathFilters: ['/a/**'] };
    const wider = change({ parameters: { maxDepth: 3, pathFilters: ['/a/**'] } });
    expect(decided(wider, CREATE)).toStrictEqual([
      { type: 'IngestionParametersChanged', parameters, at: 20 },
    ]);
    expect(stateAfter(CREATE, wider)).toMatchObject({ name: 'Docs', parameters, schedule: DAILY });
    expect(decided(wider, CREATE, wider)).toStrictEqual([]);
    expect(decided(change({ parameters: {} }), CREATE)).toStrictEqual([]);
    const swapped = change({ parameters: { pathFilters: ['b', 'a'] } });
    expect(decided(swapped, CREATE, change({ parameters: { pathFilters: ['a', 'b'] } }))).toHaveLength(1);
  });

  it('takes a new name and leaves the schedule alone', () => {
    expect(decided(change({ name: 'Guide' }), CREATE)).toStrictEqual([
      { type: 'IngestionSettingRenamed', name: 'Guide', at: 20 },
    ]);
    expect(stateAfter(CREATE, change({ name: 'Guide' }))).toMatchObject({ name: 'Guide', schedule: DAILY });
  });

  it('takes a new schedule and leaves the name alone', () => {
    expect(decided(change({ schedule: WEEKLY }), CREATE)).toStrictEqual([
      { type: 'ScheduleSet', schedule: WEEKLY, at: 20 },
    ]);
    expect(stateAfter(CREATE, change({ schedule: WEEKLY }))).toMatchObject({
      name: 'Docs',
      schedule: WEEKLY,
    });
  });

  it('takes both at once', () => {
    const types = decided(change({ name: 'Guide', schedule: null }), CREATE).map(({ type }) => type);
    expect(types).toStrictEqual(['IngestionSettingRenamed', 'ScheduleRemoved']);
  });

  it('keeps the start of a rule that is sent again as it stands', () => {
    const sentAgain = change({ schedule: { ...DAILY, start: 9_999 } });
    expect(decided(sentAgain, CREATE)).toStrictEqual([]);
    expect(stateAfter(CREATE, sentAgain)).toMatchObject({ schedule: DAILY });
  });

  it('loses its schedule by null, and gets a new start with the next one', () => {
    const removed = change({ schedule: null });
    expect(decided(removed, CREATE)).toStrictEqual([{ type: 'ScheduleRemoved', at: 20 }]);
    expect(stateAfter(CREATE, removed)).toMatchObject({ schedule: null });
    const back = change({ schedule: { ...DAILY, start: 9_999 } });
    expect(decided(back, CREATE, removed)).toMatchObject([
      { type: 'ScheduleSet', schedule: { start: 9_999 } },
    ]);
  });

  it.each([
    ['the same name', change({ name: 'Docs' }), CREATE],
    ['the same rule', change({ schedule: DAILY }), CREATE],
    ['no schedule where there is none', change({ schedule: null }), { ...CREATE, schedule: null }],
    ['nothing', change({}), CREATE],
  ])('leaves no trace of %s', (_, command, before) => {
    expect(decided(command, before)).toStrictEqual([]);
  });
});

it('two parameters are the same where both have a value, or neither has it', () => {
  const [two, three] = [crawlParameters({ maxDepth: 2 }), crawlParameters({ maxDepth: 3 })];
  expect(isSame(two, three, 'maxDepth')).toBe(false);
  expect(isSame(two, three, 'startUrl')).toBe(true);
  expect(isSame(two, three, 'pageId')).toBe(true);
});
