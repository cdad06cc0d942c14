import { describe, expect, it } from 'vitest';
import type { RoleName } from '../../composition/roles.ts';
import { compiledPlace, connectionShares } from '../../composition/search-threads.ts';

const shares = (threads: number, connections: number, roles: readonly RoleName[] = ['api']) =>
  connectionShares({ search: { threads, memoryBytes: 1 }, roles: new Set(roles) }, connections);

describe('connections of threads that search', () => {
  it('are four for each, and half of all for all together', () => {
    expect(shares(1, 16)).toEqual({ own: 12, threads: 1, ofThread: 4 });
    expect(shares(4, 16)).toEqual({ own: 8, threads: 4, ofThread: 2 });
    expect(shares(8, 16)).toEqual({ own: 8, threads: 8, ofThread: 1 });
  });

  it('never leave less than two for everything else', () => {
    expect(shares(4, 5)).toEqual({ own: 2, threads: 3, ofThread: 1 });
    expect(shares(4, 2)).toEqual({ own: 2, threads: 0, ofThread: 0 });
    for (let connections = 2; connections < 70; connections++)
      for (let threads = 0; threads < 70; threads++) {
        const { own, threads: started, ofThread } = shares(threads, connections);
        expect(own + started * ofThread).toBe(connections);
        expect(own).toBeGreaterThanOrEqual(2);
      }
  });

  it('are none where nobody searches: in a process without the roles that do', () => {
    expect(shares(4, 16, ['projector', 'scheduler'])).toEqual({ own: 16, threads: 0, ofThread: 0 });
    // Agents search.
    expect(shares(4, 16, ['worker']).threads).toBe(4);
  });
});

it('what is compiled is kept where the program keeps it, without the folder of this Node', () => {
  expect(compiledPlace('/a/cache/v24.12.0-x64')).toBe('/a/cache');
});
