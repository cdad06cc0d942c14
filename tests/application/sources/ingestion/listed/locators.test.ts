import { expect, it } from 'vitest';
import { sha256 } from '../../../../../adapters/system/identity.ts';
import { usableItems } from '../../../../../application/sources/ingestion/listed/visit-items.ts';

const item = (locator: string, fingerprint = '1') => ({ locator, fingerprint });

it('takes each name once, the first of those that are the same', () => {
  const { usable, refused } = usableItems(sha256, [item('a', '1'), item('b'), item('a', '2')]);
  expect([usable, refused]).toEqual([[item('a', '1'), item('b')], []]);
});

it('refuses names that are empty, too long or hold a NUL, each under a name of its own', () => {
  const long = 'x'.repeat(2_001);
  const odd = ['', long, `${long}y`, 'nul\0'];
  const { usable, refused } = usableItems(
    sha256,
    [...odd, 'x'.repeat(2_000)].map((name) => item(name)),
  );
  expect(usable.map(({ locator }) => locator.length)).toEqual([2_000]);
  expect(refused.map(({ fetched }) => fetched.code)).toEqual([
    'locator_empty',
    'locator_too_long',
    'locator_too_long',
    'locator_invalid',
  ]);
  expect(refused.map(({ fetched }) => fetched.message)).toEqual([
    'the provider gives it no name',
    'its name has more than 2000 characters',
    'its name has more than 2000 characters',
    'its name holds a NUL character',
  ]);
  expect(refused[3]!.locator).toBe(`nul…${sha256.sha256('nul\0').slice(0, 16)}`);
  const names = refused.map(({ locator }) => locator);
  expect(new Set(names).size).toBe(4);
  expect(names.every((name) => name.length < 300 && !name.includes('\0'))).toBe(true);
});
