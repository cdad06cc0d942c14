import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compoundsOf, identifiersOf } from '../../../domain/ranking/identifiers.ts';
import { queryWords } from '../../../domain/ranking/asked-terms.ts';

describe('identifiersOf', () => {
  it.each([
    ['Set max_wal_size = 1GB.', ['max_wal_size']],
    ['see bleeding-edge E-1042', ['e-1042']],
    ['call a.b.c() and os.path.join().', ['a.b.c', 'os.path.join']],
    ['git add -n, or --dry-run', ['--dry-run']],
    ['since 2.6, not 3.11.2.', ['2.6', '3.11.2']],
    ['failed with E-1042 or ERR_TLS', ['e-1042', 'err_tls']],
    ['std::move in C++ and C#', ['std::move', 'c++', 'c#']],
    ['an HTTPServerFactory', ['http', 'server', 'factory']],
    ['getUserById', ['get', 'user', 'by', 'id']],
    ['UserById', ['user', 'by', 'id']],
    ['User2024Id', ['user', '2024', 'id']],
    ['getXId', ['get', 'id']],
    ['HTTPd', ['htt', 'pd']],
    ['C#', ['c#']],
    ['größe_max', ['größe_max']],
  ])('has those of %j', (text, identifiers) => expect(identifiersOf(text)).toEqual(identifiers));

  it.each(['plain words, and no more.', 'a well-known e-mail', 'e.g. J.S. Bach, i.e. him', 'HTTP', ''])(
    'finds none in %j',
    (text) => expect(identifiersOf(text)).toEqual([]),
  );

  it('leaves out what is too long to be typed', () => {
    const humps = (length: number) => `get${'A'.repeat(length - 5)}Id`;
    expect([64, 65].map((length) => identifiersOf(humps(length)).length)).toEqual([3, 0]);
    const compound = (length: number) => `${'a'.repeat(length - 2)}_b`;
    expect([64, 65].map((length) => identifiersOf(compound(length)).length)).toEqual([1, 0]);
    expect(identifiersOf(`${'a'.repeat(40)}_${'b'.repeat(40)} x_y`)).toEqual(['x_y']);
  });

  it.each(['a-', 'a_', 'a.', '--a', 'a::', 'aB', 'AA', '_', '+', 'ä-'])(
    'takes no longer for many of %j',
    (part) => {
      expect(identifiersOf(`${part.repeat(300_000)} x_y`)).toContain('x_y');
    },
  );

  it('has the same of a line that is read quickly as of one that is not', () => {
    const unit = fc.constantFrom(...'aabABB09._:#+-- ’—…•§\u00a0é');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), (line) => {
        expect(identifiersOf(line)).toEqual(identifiersOf(`${line} é`));
        expect(identifiersOf(`${line}\né ${line}`)).toEqual(
          [compoundsOf, (of: string) => identifiersOf(of).slice(compoundsOf(of).length)].flatMap((part) => [
            ...part(line),
            ...part(`é ${line}`),
          ]),
        );
      }),
      { numRuns: 3_000 },
    );
  });

  it('leaves words in humps whole in a query', () => {
    expect(compoundsOf('getUserById of user_store')).toEqual(['user_store']);
    expect([...queryWords('getUserById x_y').keys()]).toEqual(
      expect.arrayContaining(['getuserbyid', 'x', 'y', 'x_y']),
    );
    expect(queryWords('getUserById').has('user')).toBe(false);
    expect([...queryWords('tape')]).toEqual([
      ['tape', 1],
      ['=tape', 3],
    ]);
  });
});
