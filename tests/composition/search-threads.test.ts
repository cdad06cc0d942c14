import { describe, expect, it } from 'vitest';
import type { Extension } from '../../adapters/postgres/extensions.ts';
import type { RoleName } from '../../composition/config/variables.ts';
import { connectionShares, vectorGraphs } from '../../composition/search-threads.ts';
import { silent } from '../support/world.ts';

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

describe('graphs of vectors', () => {
  const graphs = (usable: Extension | null, refused?: string) => {
    const told: string[] = [];
    const warn = (message: string, of?: object) => told.push(`${message} ${JSON.stringify(of)}`);
    const extensions = {
      usable: new Map(usable === null ? [] : [['vector', usable]]),
      refused: new Map(refused === undefined ? [] : [['vector', refused]]),
    };
    return { found: vectorGraphs(extensions, { ...silent, warn }), told };
  };

  it('are where the extension is, from the version on that can go on behind a filter', () => {
    const { found, told } = graphs({ version: '0.8.0', schema: 'extra' });
    expect([found, told]).toEqual([expect.objectContaining({ schema: 'extra' }), []]);
    expect(graphs(null)).toEqual({ found: null, told: [] });
  });

  it('are not where it is too old or was refused, and the log says what to do', () => {
    expect(graphs({ version: '0.7.4', schema: 'public' })).toEqual({
      found: null,
      told: [expect.stringContaining('ALTER EXTENSION vector UPDATE')],
    });
    expect(graphs(null, 'permission denied to create extension "vector"')).toEqual({
      found: null,
      told: [expect.stringMatching(/permission denied.*CREATE EXTENSION vector/)],
    });
  });

  it('tell of the same error once', () => {
    const { found, told } = graphs({ version: '0.8.1', schema: 'public' });
    for (const message of ['a', 'a', 'b']) found?.onError?.(new Error(message));
    expect(told.map((line) => line.at(-3))).toEqual(['a', 'b']);
  });
});
