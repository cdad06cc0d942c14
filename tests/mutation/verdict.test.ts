import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EQUIVALENT } from './equivalent.ts';
import { type TriedMutant, verdictOn } from './verdict.ts';

const mutant = (status: string, code = 'a < b', by = 'a <= b', file = 'domain/a.ts'): TriedMutant => ({
  file,
  line: 3,
  code,
  by,
  status,
});
const known = { file: 'domain/a.ts', code: 'a < b', by: 'a <= b', why: 'they are never equal' };
const files = new Set(['domain/a.ts']);

describe('the verdict on a run of mutants', () => {
  it('counts those that are killed, or run without end, among all that a test could kill', () => {
    const tried = [mutant('Killed'), mutant('Timeout'), mutant('NoCoverage', 'x', 'y'), mutant('Survived')];
    expect(verdictOn(tried, [], files)).toMatchObject({ mutants: 4, killed: 2, equivalent: 0, share: 0.5 });
    expect(verdictOn(tried, [known], files)).toMatchObject({
      mutants: 4,
      killed: 2,
      equivalent: 1,
      share: 2 / 3,
      survivors: [tried[2]],
      stale: [],
    });
  });

  it('takes no notice of what does not compile or is left out', () => {
    expect(verdictOn([mutant('CompileError'), mutant('Ignored')], [], files)).toMatchObject({
      mutants: 0,
      share: 1,
    });
  });

  it('names what is on the list and was killed, in files that were tried', () => {
    expect(verdictOn([mutant('Killed')], [known], files).stale).toEqual([known]);
    expect(verdictOn([], [known], new Set(['domain/b.ts'])).stale).toEqual([]);
  });
});

describe('the list of equivalent mutants', () => {
  it('names code that still stands in the program', () => {
    const gone = EQUIVALENT.filter(
      ({ file, code }) => !existsSync(file) || !readFileSync(file, 'utf8').includes(code),
    );
    expect(gone).toEqual([]);
  });

  it('names none twice', () => {
    const keys = EQUIVALENT.map(({ file, code, by }) => [file, code, by].join('\n'));
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  });
});
