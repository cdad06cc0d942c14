import { describe, expect, it } from 'vitest';
import type { RoleName } from '../../composition/config/variables.ts';
import { connectionShares } from '../../composition/search-threads.ts';

const shares = (threads: number, connections: number, roles: readonly RoleName[] = ['api']) =>
  connectionShares({ search: { threads, memoryBytes: 1 }, roles: new Set(roles) }, connections);

describe('connections of threads that search', () => {
  it('never leave less than two for everything else', () => {
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
