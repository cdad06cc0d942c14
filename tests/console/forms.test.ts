import { describe, expect, it } from 'vitest';
import { FIRST, presetOf, ruleOf } from '../../console/src/pages/source/presets.ts';
import { withLabel } from '../../console/src/ui/with-label.ts';
import { problemOf } from '../../console/src/ui/problem-of.ts';

describe('a preset of a schedule', () => {
  it.each([
    [{ every: 'hour' }, 'FREQ=HOURLY;BYMINUTE=0;BYSECOND=0'],
    [{ every: 'day', time: '03:30' }, 'FREQ=DAILY;BYHOUR=3;BYMINUTE=30;BYSECOND=0'],
    [{ every: 'weekday', time: '23:05' }, 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=23;BYMINUTE=5;BYSECOND=0'],
    [{ every: 'week', day: 'SA' }, 'FREQ=WEEKLY;BYDAY=SA;BYHOUR=3;BYMINUTE=0;BYSECOND=0'],
    [{ every: 'month', date: 28 }, 'FREQ=MONTHLY;BYMONTHDAY=28;BYHOUR=3;BYMINUTE=0;BYSECOND=0'],
  ] as const)('of %j is known again by its rule', (chosen, rule) => {
    const preset = { ...FIRST, ...chosen };
    expect(ruleOf(preset)).toBe(rule);
    expect(presetOf(rule)).toEqual(preset);
  });

  it.each([
    '',
    'FREQ=MINUTELY',
    'FREQ=DAILY;INTERVAL=2;BYHOUR=3;BYMINUTE=0;BYSECOND=0',
    'FREQ=WEEKLY;BYDAY=MO,SA;BYHOUR=3;BYMINUTE=0;BYSECOND=0',
    'FREQ=DAILY;BYHOUR=3',
    'DTSTART;TZID=Europe/Berlin:20260101T030000\nRRULE:FREQ=DAILY',
  ])('is none for the rule %j', (rule) => {
    expect(presetOf(rule)).toBeNull();
  });
});

describe('the problem of a value', () => {
  const words = { label: 'L', rule: 'a rule', problem: 'do this' };
  it.each([
    [{ type: 'string' }, undefined, true, 'Fill this in'],
    [{ type: 'string' }, undefined, false, ''],
    [{ type: 'string', pattern: '^arn:' }, 'x', false, 'do this'],
    [{ type: 'string', pattern: '^arn:' }, 'arn:x', false, ''],
    [{ type: 'string', format: 'uri' }, 'docs.example.com', true, 'do this'],
    [{ type: 'string', format: 'uri' }, 'ftp://docs.example.com', true, 'do this'],
    [{ type: 'string', format: 'uri' }, 'https://docs.example.com', true, ''],
    [{ type: 'string', format: 'json' }, '{"a":', true, expect.stringContaining('no JSON yet')],
    [{ type: 'string', format: 'json' }, '{"a":1}', true, ''],
    [{ type: 'integer', minimum: 1, maximum: 10 }, 11, true, 'Type a number from 1 to 10'],
    [{ type: 'integer', minimum: 1, maximum: 10 }, 0, true, 'Type a number from 1 to 10'],
    [{ type: 'integer', minimum: 1, maximum: 10 }, 1.5, true, 'Type a whole number'],
    [{ type: 'array', items: { pattern: '^\\.' } }, ['.md', 'pdf'], false, 'do this'],
    [{ type: 'array', items: { pattern: '^\\.' } }, ['.md', '.pdf'], false, ''],
    [{ type: 'array', items: { maxLength: 4 } }, ['.html'], false, 'do this'],
    [{ type: 'array', 'x-max-total-length': 3 }, ['ab', 'cd'], false, 'Shorten it to 3 characters in all'],
  ])('of %j that is %j (required: %j) is %j', (property, value, isRequired, problem) => {
    expect(problemOf(property, value, isRequired, words)).toEqual(problem);
  });
});

describe('what the service says of a field', () => {
  const named = { file_extensions: { label: 'File extensions' }, expires_at: { label: 'Expires' } };
  it.each([
    ['expires_at must lie in the future', 'Expires: must lie in the future'],
    [
      'file_extensions[1] may have at most 10 characters',
      'File extensions 2: may have at most 10 characters',
    ],
    ['expires_at: say when', 'Expires: say when'],
    ['expires_at.filters[0].key must not be empty', 'Expires, filters[0].key: must not be empty'],
    ['a tag with this name already exists', 'a tag with this name already exists'],
    ['constructor must be there', 'constructor must be there'],
  ])('is said with its label: %s', (message, said) => {
    expect(withLabel(message, named)).toBe(said);
  });
});
