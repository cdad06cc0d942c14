import { expect, it } from 'vitest';
import { createOutput } from '../../../adapters/cli/output.ts';

const rows = [
  { id: 1, name: 'short' },
  { id: 22, name: `${'long '.repeat(20)}\nname` },
];
const cells = ({ id, name }: (typeof rows)[number]) => ({ id: `${id}`, name });
const printed = async (asJson: boolean, given: readonly (typeof rows)[number][] = rows): Promise<string> => {
  let text = '';
  await createOutput(
    (part) => (text += part),
    () => {},
    asJson,
  ).records(given, cells);
  return text;
};

it('prints a table for people, whose cells stay on their lines', async () => {
  expect((await printed(false)).split('\n')).toEqual([
    'ID  NAME',
    '1   short',
    `22  ${'long '.repeat(20).slice(0, 59)}…`,
    '',
  ]);
  expect(await printed(false, [])).toBe('');
});

it('prints all records of a long table, and a line of JSON for each to programs', async () => {
  const many = Array.from({ length: 250 }, (_, id) => ({ id, name: 'x' }));
  expect((await printed(false, many)).trim().split('\n')).toHaveLength(251);
  expect(
    (await printed(true))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(rows);
});
