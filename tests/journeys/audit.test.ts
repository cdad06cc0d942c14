import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, ended, until } from '../support/crawls.ts';
import { follow } from '../support/event-stream.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { manyPages, type Site } from '../support/site.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
type Event = any;

const journey = openJourney();
let service: Tenant;
let site: Site;
/** The ids of a crawl that ran and one that was deleted. */
let [kept, deleted] = ['', ''];
beforeAll(async () => {
  site = await journey.site(manyPages(12));
  service = await journey.tenant();
  [kept, deleted] = [
    (await crawl(service, `${site.origin}/`)).id,
    (await crawl(service, `${site.origin}/`)).id,
  ];
  await Promise.all([ended(service, kept), ended(service, deleted)]);
  await service.delete('/crawls/{id}', { path: { id: deleted } });
  await until(service, deleted, ['DataSourceDeleted']);
}, 120_000);

/** All pages of the log, with so many events each. */
const paged = async (query = '', limit = 100): Promise<Event[]> => {
  const events: Event[] = [];
  for (let after = ''; ;) {
    const cursor = after === '' ? '' : `&after_position=${after}`;
    const { body } = await service.api('GET', `/events?limit=${limit}${cursor}${query}`);
    events.push(...body.events);
    if (!body.pagination.has_more) return events;
    after = body.pagination.next_id;
  }
};
const replayed = async (query = ''): Promise<Event[]> => {
  const accept = { accept: 'application/x-ndjson' };
  const { body } = await service.api('GET', `/events?${query}`, undefined, accept);
  const lines: string[] = body.trimEnd().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
};

describe('the event log', { timeout: 180_000 }, () => {
  it('is the same in pages of any size, replayed as lines, and followed', async () => {
    const events = await paged();
    expect(events.length).toBeGreaterThan(24);
    expect(await paged('', 7)).toEqual(events);
    expect(await replayed()).toEqual(events);
    const last = events.at(-1);
    const streamed = await follow(service, '/events', ({ id }) => id === last.position);
    expect(streamed.map(({ data }) => data)).toEqual(events);
  });

  it('goes on exactly after Last-Event-ID, wherever the stream broke', async () => {
    const events = await paged();
    const last = events.at(-1).position;
    for (const at of [0, 1, Math.floor(events.length / 2), events.length - 2]) {
      const rest = await follow(service, '/events', ({ id }) => id === last, events[at].position);
      expect(rest.map(({ data }) => data)).toEqual(events.slice(at + 1));
    }
  });

  it('brings what happens while it is followed, in order', async () => {
    const last = (await paged()).at(-1).position;
    const following = follow(service, '/events', ({ data }) => data.type === 'JobSucceeded', last);
    const { id } = await crawl(service, `${site.origin}/`, { max_depth: 1 });
    const types = (await following)
      .filter(({ data }) => data.stream === `dataSource-${id}`)
      .map(({ data }) => data.type);
    const steps = ['DataSourceRegistered', 'JobQueued', 'JobClaimed', 'JobStarted', 'JobSucceeded'];
    expect(types.filter((type) => type !== 'JobProgressed')).toEqual(steps);
  });

  it('says of every event who caused it, and what it belongs to', async () => {
    const events = (await paged()).filter(({ stream }) => stream === `dataSource-${kept}`);
    const [registered, queued, claimed] = events;
    expect(registered.actor.kind).toBe('api_key');
    expect(claimed.actor.kind).toBe('worker');
    expect(claimed.causation_id).toBe(queued.id);
    expect(new Set(events.map(({ correlation_id: correlationId }) => correlationId)).size).toBe(1);
    expect(new Set(events.map(({ trace_id: traceId }) => traceId)).size).toBe(1);
  });

  it('is filtered by actor, trace, type and time, together and in every form', async () => {
    const events = await paged();
    const removal = events.find(({ type }) => type === 'DataSourceDeletionRequested');
    const { id: actor } = removal.actor;
    const those = (isOne: (event: Event) => boolean): Event[] => events.filter(isOne);
    const byActor = those((event) => event.actor.id === actor);
    expect(byActor.length).toBeLessThan(events.length);
    expect(await paged(`&actor=${actor}`, 3)).toEqual(byActor);
    const trace = those((event) => event.trace_id === removal.trace_id);
    expect(trace.some((event) => event.actor.kind === 'worker')).toBe(true);
    expect(await replayed(`trace_id=${removal.trace_id}&order=desc`)).toEqual(trace.toReversed());
    expect(await paged(`&trace_id=${removal.trace_id}&actor=${actor}&types=${removal.type}`)).toEqual([
      removal,
    ]);
    const from = removal.time;
    expect(await paged(`&actor=${actor}&from=${from}`)).toEqual(byActor.filter(({ time }) => time >= from));
    const last = trace.at(-1).position;
    const streamed = await follow(service, `/events?trace_id=${removal.trace_id}`, ({ id }) => id === last);
    expect(streamed.flatMap(({ data }) => (data === undefined ? [] : [data]))).toEqual(trace);
  });

  it('goes on as lines after Last-Event-ID too, in both directions', async () => {
    const events = await paged();
    const at = Math.floor(events.length / 2);
    const linesAfter = async (query: string): Promise<Event[]> => {
      const headers = { accept: 'application/x-ndjson', 'last-event-id': events[at].position };
      const { body } = await service.api('GET', `/events?${query}`, undefined, headers);
      const lines: string[] = body.trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line));
    };
    expect(await linesAfter('')).toEqual(events.slice(at + 1));
    expect(await linesAfter(`after_position=${events[0].position}`)).toEqual(events.slice(at + 1));
    expect(await linesAfter('order=desc')).toEqual(events.slice(0, at).toReversed());
  });
});

describe('the trail of a crawl', { timeout: 180_000 }, () => {
  it('is the same in pages and streamed, resumes exactly, and agrees with the log', async () => {
    const body = await service.get('/crawls/{id}/events', { path: { id: kept }, query: { limit: 100 } });
    const last = body.events.at(-1)!.revision;
    for (const after of [undefined, '0', '2', String(last - 1)]) {
      const rest = await follow(service, `/crawls/${kept}/events`, ({ id }) => id === String(last), after);
      expect(rest.map(({ data }) => data)).toEqual(
        body.events.slice(after === undefined ? 0 : Number(after) + 1),
      );
    }
    const log = (await paged(`&stream=dataSource-${kept}`)).map(({ revision, type, data }) => ({
      revision,
      type,
      data,
    }));
    expect(body.events).toMatchObject(log);
  });

  it('outlives the crawl, with what was deleted', async () => {
    await expect(service.get('/crawls/{id}', { path: { id: deleted } })).rejects.toMatchObject({
      type: 'not_found',
    });
    const { status, body } = await service.api('GET', `/crawls/${deleted}/events?limit=100`);
    expect(status).toBe(200);
    expect(body.events.at(-1)).toMatchObject({
      type: 'DataSourceDeleted',
      from_status: 'deleting',
      to_status: 'removed',
    });
    expect(body.events.at(-1).data).toMatchObject({ sources: 12, contents: 12 });
    expect(body.events.at(-1).data.bytes).toBeGreaterThan(1_000);
    const removed = (await paged('&types=SourceRemoved')).filter(
      ({ data }) => data.data_source_id === deleted,
    );
    expect(removed).toHaveLength(12);
  });
});
