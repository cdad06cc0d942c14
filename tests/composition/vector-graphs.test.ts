import { describe, expect, it } from 'vitest';
import type { Extension } from '../../adapters/postgres/extensions.ts';
import { vectorGraphs } from '../../composition/vector-graphs.ts';
import { silent } from '../support/world.ts';

const graphs = (usable: Extension | null, refused?: string) => {
  const told: string[] = [];
  const log = {
    ...silent,
    warn: (message: string, of?: object) => told.push(`${message} ${JSON.stringify(of)}`),
  };
  const found = vectorGraphs(
    {
      usable: new Map(usable === null ? [] : [['vector', usable]]),
      refused: new Map(refused === undefined ? [] : [['vector', refused]]),
    },
    log,
  );
  return { found, told };
};

describe('graphs of vectors', () => {
  it('are where the extension is, from the version on that can go on behind a filter', () => {
    expect(graphs({ version: '0.8.0', schema: 'extra' }).found).toMatchObject({ schema: 'extra' });
    expect(graphs({ version: '0.8.0', schema: 'extra' }).told).toEqual([]);
  });

  it('are not, without a word, where the server does not have it', () => {
    expect(graphs(null)).toEqual({ found: null, told: [] });
  });

  it('are not where it is too old or was refused, and the log says what to do', () => {
    const old = graphs({ version: '0.7.4', schema: 'public' });
    expect(old.found).toBeNull();
    expect(old.told).toEqual([expect.stringContaining('ALTER EXTENSION vector UPDATE')]);
    const refused = graphs(null, 'permission denied to create extension "vector"');
    expect(refused.found).toBeNull();
    expect(refused.told).toEqual([expect.stringMatching(/permission denied.*CREATE EXTENSION vector/)]);
  });

  it('tell of the same error once', () => {
    const { found, told } = graphs({ version: '0.8.1', schema: 'public' });
    for (const message of ['a', 'a', 'b']) found?.onError?.(new Error(message));
    expect(told.map((line) => line.at(-3))).toEqual(['a', 'b']);
  });
});
