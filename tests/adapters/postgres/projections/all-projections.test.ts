import { describe, expect, it } from 'vitest';
import { createProjections } from '../../../../adapters/postgres/projections/all-projections.ts';
import { createCatalogProjection } from '../../../../adapters/postgres/projections/catalog/catalog-projection.ts';
import type { Projection } from '../../../../adapters/postgres/projections/projection.ts';
import { VIEWS, type ViewName } from '../../../../application/ports/read-gate.ts';
import { OVERLAID_VIEWS } from '../../../../application/ports/read-your-writes.ts';
import { NO_FOLLOWERS } from '../../../support/views.ts';

const catalog = createCatalogProjection({ readChunkSet: async () => null });

/** The projections of the program, and what their moves have led to so far. */
const followed = () => {
  const told: string[] = [];
  const follower = (what: string) => () => void told.push(what);
  const projections = createProjections(catalog, {
    clearKeyCache: follower('keys'),
    clearPolicyCache: follower('policies'),
    wakeWorkers: follower('workers'),
    wakeRunWorkers: follower('workers of runs'),
    wakeEmbedding: follower('embedding'),
    wakeMerging: follower('merging'),
    wakeWebhooks: follower('webhooks'),
    overlay: { prune: async (view) => void told.push(`marks of ${view}`) },
    log: NO_FOLLOWERS.log,
  });
  const move = (name: ViewName): readonly string[] => {
    projections.find(({ view }) => view === name)?.onMoved?.();
    return told.splice(0);
  };
  return { projections, move };
};

describe('the projections of the program', () => {
  it('are one for each view', () => {
    expect(followed().projections.map(({ view }) => view)).toStrictEqual([...VIEWS]);
  });

  it.each<[ViewName, readonly string[]]>([
    ['data_source', ['workers']],
    ['log_tree', ['webhooks']],
    ['agent_run', ['workers of runs', 'marks of agent_run']],
    ['ingestion_setting', ['marks of ingestion_setting']],
    ['api_key', ['keys']],
    ['conversation', ['marks of conversation']],
    ['tag', []],
    ['authz_policy', []],
    ['authz_subject', []],
    ['redaction_policy', ['policies', 'marks of redaction_policy']],
    ['catalog', ['merging', 'embedding']],
  ])('have those told who follow %s', (view, told) => {
    expect(followed().move(view)).toStrictEqual(told);
  });

  it('have the marks of every marked view forgotten', () => {
    const { move } = followed();
    for (const view of OVERLAID_VIEWS) expect(move(view)).toContain(`marks of ${view}`);
  });

  it('go on where marks cannot be forgotten, and say so', async () => {
    const lines: unknown[] = [];
    const refused = Promise.reject(new Error('the database is away'));
    const projections: readonly Projection[] = createProjections(catalog, {
      ...NO_FOLLOWERS,
      overlay: { prune: () => refused },
      log: { warn: (message, about) => void lines.push([message, about]) },
    });
    projections.find(({ view }) => view === 'conversation')?.onMoved?.();
    await refused.catch(() => {});
    expect(lines).toStrictEqual([
      [
        'overlaid rows that a view holds stay until it moves again',
        { view: 'conversation', error: 'the database is away' },
      ],
    ]);
  });
});
