import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AuditFilter } from '../../../application/audit/operations.ts';
import type { PageRequest } from '../../../application/ports/page.ts';
import { CATEGORIES } from '../../../application/event-sourcing/streams.ts';
import { operationsOf } from '../../support/openapi-check.ts';
import { auditEntry, ID, OTHER_ID, recorded } from './fake-records.ts';
import { runApp, type RunningApp, stopServersAfterAll } from './running-app.ts';
import { anyCharacter } from '../../support/any-character.ts';

stopServersAfterAll();
let app: RunningApp;
const pages: PageRequest[] = [];
const filters: { filter: AuditFilter; after: string; limit: number }[] = [];
const trails: object[] = [];
beforeAll(async () => {
  app = await runApp(({ dataSources, auditTrail, events }) => ({
    dataSources: {
      ...dataSources,
      list: async (caller, kind, page) => {
        pages.push(page);
        const one = (await dataSources.list(caller, kind, page)).rows[0]!;
        const other = { ...one, row: { ...one.row, id: OTHER_ID } };
        return { rows: [one, other], hasMore: page.limit < 50, total: 70 };
      },
    },
    auditTrail: {
      ...auditTrail,
      page: async (_caller, _kind, _id, page) => {
        trails.push(page);
        return { rows: [auditEntry(3)], hasMore: true, total: 9 };
      },
    },
    events: {
      ...events,
      page: async (_caller, filter, after, limit) => {
        filters.push({ filter, after, limit });
        return {
          events: Array.from({ length: limit }, (_, i) => recorded(i + 1)),
          position: 'x',
          more: true,
        };
      },
    },
  }));
});

const problem = async (path: string): Promise<[number, string, string]> => {
  const answer = await app.ask('GET', path);
  const { type, message } = answer.json().error;
  return [answer.status, type, message];
};

describe('a list', () => {
  it('has 20 records a page where nothing else is asked', async () => {
    const answer = await app.ask('GET', '/api/v1/crawls');
    expect(pages.at(-1)).toEqual({ limit: 20 });
    expect(answer.json().pagination).toEqual({ limit: 20, has_more: true, total: 70, next_id: OTHER_ID });
  });

  it('has no next_id on its last page', async () => {
    const answer = await app.ask('GET', '/api/v1/crawls?limit=100');
    expect(answer.json().pagination).toEqual({ limit: 100, has_more: false, total: 70 });
  });

  it('goes on after an id, by either name, in either case', async () => {
    const upper = ID.toUpperCase();
    for (const query of [`after=${ID}`, `next_id=${ID}`, `after=${ID}&next_id=${upper}`, `after=${upper}`]) {
      await app.ask('GET', `/api/v1/crawls?limit=7&${query}`);
      expect(pages.at(-1)).toEqual({ limit: 7, after: ID });
    }
  });

  it.each(['0', '101', '-1', '1.5', 'ten', '', '%2B5', '1e1', '0x10', '99999999999999999999'])(
    'refuses the limit %j',
    async (limit) => {
      expect((await problem(`/api/v1/crawls?limit=${limit}`)).slice(0, 2)).toEqual([400, 'invalid_limit']);
    },
  );

  it.each(['after=1', 'next_id=x', `after=${ID}&next_id=${OTHER_ID}`, 'after='])(
    'refuses the cursor %j',
    async (query) => {
      expect((await problem(`/api/v1/crawls?${query}`)).slice(0, 2)).toEqual([400, 'invalid_cursor']);
    },
  );

  it('refuses what it does not know, and names what it does', async () => {
    expect(await problem('/api/v1/crawls?page=2')).toEqual([
      400,
      'invalid_request',
      'the query has no field "page"; known: limit, after, next_id, status, name, as_of',
    ]);
    expect((await problem('/api/v1/crawls?__proto__=1'))[2]).toContain('no field "__proto__"');
    expect((await problem('/api/v1/crawls?limit[a]=1'))[2]).toContain('no field "limit[a]"');
    expect((await problem(`/api/v1/crawls/${ID}?x`))[2]).toBe('the query has no field "x"; known: as_of');
  });

  it('refuses a name that is given twice', async () => {
    expect(await problem('/api/v1/crawls?limit=1&limit=2')).toEqual([
      400,
      'invalid_limit',
      'limit is given more than once',
    ]);
  });
});

describe('percent-encoding in a URL', () => {
  it.each(['/api/v1/crawls/%zz', '/%', '/api/v1/crawls?after=%ff', '/nowhere/%c3%28'])(
    'must be UTF-8: %s',
    async (path) => {
      expect((await problem(path)).slice(0, 2)).toEqual([400, 'invalid_request']);
    },
  );

  it('must hold no NUL character', async () => {
    expect((await problem('/api/v1/sources?url=a%00b'))[2]).toBe('the URL contains a NUL character');
  });
});

describe('a content', () => {
  it('takes the reserved names of a policy and a principal, within their limits', async () => {
    const path = `/api/v1/contents/${ID}`;
    expect((await app.ask('GET', `${path}?authz_policy=a-b_1&principal_id=${'x'.repeat(256)}`)).status).toBe(
      200,
    );
    for (const query of ['authz_policy=A', 'authz_policy=', `principal_id=${'x'.repeat(257)}`]) {
      expect((await problem(`${path}?${query}`)).slice(0, 2)).toEqual([400, 'invalid_request']);
    }
  });
});

describe('the audit trail', () => {
  it('goes on after a revision, and its cursor is one', async () => {
    const path = `/api/v1/crawls/${ID}/events`;
    const answer = await app.ask('GET', `${path}?limit=1&after=2`);
    expect(trails.at(-1)).toEqual({ limit: 1, after: 2n });
    expect(answer.json().pagination).toEqual({ limit: 1, has_more: true, total: 9, next_id: '3' });
    await app.ask('GET', `${path}?next_id=0`);
    expect(trails.at(-1)).toEqual({ limit: 20, after: 0n });
    for (const query of ['after=-1', 'after=x', 'after=1&next_id=2']) {
      expect((await problem(`${path}?${query}`)).slice(0, 2)).toEqual([400, 'invalid_cursor']);
    }
  });
});

describe('the log', () => {
  it('is asked for kinds, types, a stream and a time, in milliseconds', async () => {
    const query = `category=dataSource,source&types=JobQueued&stream=dataSource-${ID}&from=10&to=20&limit=2`;
    const answer = await app.ask('GET', `/api/v1/events?after_position=00:01&${query}`);
    const filter = {
      categories: ['dataSource', 'source'],
      types: ['JobQueued'],
      stream: `dataSource-${ID}`,
      from: 10_000,
      to: 20_000,
    };
    expect(filters.at(-1)).toEqual({ filter, after: '00:01', limit: 3 });
    expect(answer.json().pagination).toEqual({ limit: 2, has_more: true, next_id: recorded(2).position });
    expect(answer.json().events).toHaveLength(2);
    await app.ask('GET', '/api/v1/events?types=JobQueued&types=JobFailed,TagBound&next_id=00:02');
    const types = ['JobQueued', 'JobFailed', 'TagBound'];
    expect(filters.at(-1)).toEqual({ filter: { types }, after: '00:02', limit: 21 });
  });

  it('is asked for values of events', async () => {
    const where = { '/data/reason': 'a, b', '/actor/kind': 'worker' };
    await app.ask('GET', `/api/v1/events?where=${encodeURIComponent(JSON.stringify(where))}`);
    expect(filters.at(-1)).toEqual({ filter: { where }, after: '', limit: 21 });
    await app.ask('GET', '/api/v1/events?stream_prefix=dataSource-01');
    const ofPrefix = { streamPrefix: 'dataSource-01', categories: ['dataSource'] };
    expect(filters.at(-1)).toMatchObject({ filter: ofPrefix });
    await app.ask('GET', '/api/v1/events?stream_prefix=data&category=source');
    expect(filters.at(-1)).toMatchObject({ filter: { streamPrefix: 'data', categories: ['source'] } });
    expect((await problem('/api/v1/events?stream_prefix=-'))[2]).toContain('must be the beginning');
    expect(await problem('/api/v1/events?where=job')).toEqual([
      400,
      'invalid_request',
      expect.stringMatching(/^where is an object of JSON, as \{/),
    ]);
  });

  it('is read from its end with order=desc, and not followed so', async () => {
    const { events, pagination } = (await app.ask('GET', '/api/v1/events?order=desc&limit=2')).json();
    const positions = [recorded(3).position, recorded(2).position];
    expect(events.map(({ position }: { position: string }) => position)).toEqual(positions);
    expect(pagination).toEqual({ limit: 2, has_more: true, next_id: recorded(2).position });
    const headers = { accept: 'text/event-stream' };
    const refused = await app.ask('GET', '/api/v1/events?order=desc', { headers });
    expect([refused.status, refused.json().error.type]).toEqual([400, 'invalid_request']);
    expect((await problem('/api/v1/events?order=newest'))[2]).toBe('order must be one of asc, desc');
  });

  it.each([
    ['', 2],
    ['?limit=1', 1],
    ['?order=desc', 3],
    ['?order=desc&limit=2', 2],
  ])('as NDJSON%s has %i lines', async (query, lines) => {
    const headers = { accept: 'application/x-ndjson' };
    const { body } = await app.ask('GET', `/api/v1/events${query}`, { headers });
    expect(body.trimEnd().split('\n')).toHaveLength(lines);
  });

  it('names what there is to whoever asks for what there is not', async () => {
    const [status, type, message] = await problem('/api/v1/events?category=dataSource,datasource');
    expect([status, type]).toEqual([400, 'invalid_request']);
    expect(message).toBe(`category[1] must be one of ${CATEGORIES.join(', ')}`);
    expect((await problem('/api/v1/events?types=JobQueued,jobQueued'))[2]).toMatch(
      /^types\[1\] must be one of DataSourceRegistered, JobQueued, .*IdempotencyKeyUsed$/,
    );
  });

  it.each(['types=', 'types=a%20b', 'category=%27', 'stream=x', 'from=now', 'to=1.5'])(
    'refuses %s',
    async (query) => {
      expect((await problem(`/api/v1/events?${query}`)).slice(0, 2)).toEqual([400, 'invalid_request']);
    },
  );

  it.each(['after_position=', 'after_position=a%20b', 'after_position=1&next_id=2'])(
    'refuses %s',
    async (query) => {
      expect((await problem(`/api/v1/events?${query}`)).slice(0, 2)).toEqual([400, 'invalid_cursor']);
    },
  );
});

describe('whatever is asked', () => {
  it('in a query or a header never is a fault of the server', { timeout: 60_000 }, async () => {
    const targets = operationsOf(app.document)
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => path.replace('{id}', ID));
    const names =
      'limit after next_id after_position category types stream actor trace_id format hashes from to source_group_id url authz_policy __proto__';
    const texts = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: 'binary-ascii' }),
      fc.constant(ID),
    );
    const queries = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...names.split(' ')), texts), texts), {
      maxLength: 3,
    });
    const visible = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    });
    const read = 'accept range if-none-match if-range last-event-id x-min-position x-request-id';
    const headerNames = fc.constantFrom(...read.split(' '));
    const headers = fc.dictionary(headerNames, visible, { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...targets), queries, headers, async (path, query, sent) => {
        const search = query.map((pair) =>
          pair.map((part) => encodeURIComponent(part.toWellFormed())).join('='),
        );
        const answer = await app.ask('GET', `${path}?${search.join('&')}`, { headers: sent });
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: 200 },
    );
  });
});
