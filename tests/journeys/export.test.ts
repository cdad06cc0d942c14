import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { zstdDecompressSync } from 'node:zlib';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withKey } from '../support/client.ts';
import { crawl, emptyGroup, ended } from '../support/crawls.ts';
import { inDatabase } from '../support/database.ts';
import { openJourney } from '../support/journey.ts';
import { issued } from '../support/keys.ts';
import type { Service } from '../support/service.ts';
import { page, type Site } from '../support/site.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
type Any = any;
const VERIFIER = fileURLToPath(new URL('../../docs/verify-export.mjs', import.meta.url));
const journey = openJourney();
let service: Service;
let site: Site;
let folder: string;
let tenant: string;
beforeAll(async () => {
  site = await journey.site({
    '/': page('Start', 'x', ['/jo']),
    '/jo': page('Letters to jo@example.com, "quoted"', 'text'),
  });
  service = await journey.service({ KNOWLEDGER_ALLOW_ADDRESSES: site.host });
  folder = await mkdtemp(join(tmpdir(), 'knowledger-export-'));
  await ended(service, (await crawl(service, `${site.origin}/`)).id);
  const rules = [{ name: 'email', kind: 'email', replacement: '[email]' }] as const;
  await service.post('/redaction-policies', { body: { name: 'p', applies_to: ['content'], rules } });
  await service.command('tenant', 'others');
  tenant = (await shown())[0].actor.tenant;
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The log as GET /events has it. */
const shown = async (query = ''): Promise<Any[]> => {
  const { body } = await service.api('GET', `/events?${query}`, undefined, {
    accept: 'application/x-ndjson',
  });
  return linesOf(body);
};
const linesOf = (text: string): Any[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
/** Waits until the tree has all events: their number. */
const wholeTree = async (): Promise<number> => {
  const [{ position }] = await shown('order=desc&limit=1');
  const seen = { 'x-min-position': position };
  return (await service.api('GET', '/audit/checkpoint', undefined, seen)).body.size;
};
const exported = async (name: string, ...options: readonly string[]): Promise<string> => {
  await wholeTree();
  const { code, output } = await service.command('events', 'export', ...options, join(folder, name));
  expect([code, output]).toEqual([0, output]);
  return output;
};
const read = (name: string) => readFile(join(folder, name), 'utf8');
const parquet = async (name: string): Promise<Any[]> => {
  const rows: Any[] = [];
  const decompress = (bytes: Uint8Array) => new Uint8Array(zstdDecompressSync(bytes));
  for (const part of (await readdir(join(folder, name))).filter((one) => one.endsWith('.parquet')).toSorted())
    rows.push(
      ...(await parquetReadObjects({
        file: await asyncBufferFromFile(join(folder, name, part)),
        compressors: { ZSTD: decompress },
      })),
    );
  return rows;
};
const verified = async (name: string) => {
  const body = await service.get('/audit/checkpoint');
  const { keys } = await service.get('/audit/keys');
  await writeFile(join(folder, 'checkpoint'), body.note);
  const args = [VERIFIER, join(folder, name), join(folder, 'checkpoint'), keys[0]!.key];
  return promisify(execFile)(process.execPath, args).then(
    ({ stdout }) => stdout,
    ({ stderr }) => stderr,
  );
};

describe('GET /events/export', { timeout: 180_000 }, () => {
  const answered = async (query: string): Promise<Response> => {
    const headers = { authorization: `Bearer ${service.key}` };
    const response = await fetch(`${service.base}/api/v1/events/export?${query}`, { headers });
    expect([query, response.status]).toEqual([query, 200]);
    return response;
  };
  const text = async (query: string): Promise<string> => (await answered(query)).text();

  it('sends the file that the command writes, in each format', async () => {
    for (const name of ['g.ndjson', 'g.csv', 'g.parquet']) await exported(name, '--tenant', tenant);
    expect(await text('')).toBe(await read('g.ndjson'));
    expect(await text('format=csv')).toBe(await read('g.csv'));
    const whole = await answered('format=parquet');
    expect(whole.headers.get('content-disposition')).toContain('events.parquet');
    await mkdir(join(folder, 'h.parquet'));
    await writeFile(join(folder, 'h.parquet', 'a.parquet'), await whole.bytes());
    expect(await parquet('h.parquet')).toEqual(await parquet('g.parquet'));
  });

  it('goes on after the last line that came, and filters as the list of events does', async () => {
    const lines = linesOf(await text(''));
    const middle = lines[Math.floor(lines.length / 2)];
    const rest = await text(`after_position=${middle.position}`);
    expect(linesOf(rest)).toEqual(lines.filter(({ position }) => position > middle.position));
    for (const query of [
      'types=JobSucceeded',
      `actor=${middle.actor.id}`,
      `from=${(Date.parse(middle.recorded_at) / 1_000) | 0}`,
      `where=${encodeURIComponent(JSON.stringify({ '/data/title': 'Letters to [email], "quoted"' }))}`,
    ])
      expect(linesOf(await text(query)).map(({ position }) => position)).toEqual(
        (await shown(query)).map(({ position }) => position),
      );
    const refused = async (query: string) =>
      (await service.api('GET', `/events/export?${query}`)).body.error.type;
    expect(await refused('format=csv&hashes=true')).toBe('invalid_request');
    expect(await refused('format=xml')).toBe('invalid_request');
    const group = await emptyGroup(service);
    // Its events are not to come while the next ones count.
    await ended(service, group);
    const { key } = await issued(service, { scopes: ['audit:read'], source_group_ids: [group] });
    const restricted = await withKey(service, key).api('GET', '/events/export');
    expect([restricted.status, restricted.body.error.type]).toEqual([403, 'key_restricted']);
  });

  it('can be proved although it is filtered, with the hashes of what it leaves out', async () => {
    const size = await wholeTree();
    await writeFile(join(folder, 'i.ndjson'), await text('types=JobSucceeded&hashes=true'));
    expect(await verified('i.ndjson')).toMatch(new RegExp(`^1 events of .* are among the ${size} that`));
    await exported('j.ndjson', '--tenant', tenant, '--type', 'JobSucceeded', '--with-hashes');
    expect(await read('j.ndjson')).toBe(await text('types=JobSucceeded&hashes=true'));
    const where = '{"/type":"JobSucceeded"}';
    await exported('m.ndjson', '--tenant', tenant, '--where', where, '--with-hashes');
    expect(await read('m.ndjson')).toBe(await read('j.ndjson'));
    const edited = (await read('j.ndjson')).replace('"type":"JobSucceeded"', '"type":"JobFailed"');
    await writeFile(join(folder, 'k.ndjson'), edited);
    expect(await verified('k.ndjson')).toContain('is not the event of this hash');
    await writeFile(join(folder, 'l.ndjson'), await text('types=JobSucceeded'));
    expect(await verified('l.ndjson')).not.toContain('are among');
  });
});

describe('npm run events -- export', { timeout: 180_000 }, () => {
  it('writes lines as GET /events shows the events, which the verifier checks', async () => {
    const output = await exported('a.ndjson', '--tenant', tenant);
    const lines = linesOf(await read('a.ndjson'));
    const events = await shown();
    expect(
      lines.map(({ position, trace_id, actor, event: { id, stream, revision, type, data } }) => ({
        position,
        id,
        stream,
        revision,
        type,
        trace_id,
        data,
        actor: { ...actor, tenant },
      })),
    ).toEqual(
      events.map(({ position, id, stream, revision, type, trace_id, data, actor }) => ({
        position,
        id,
        stream,
        revision,
        type,
        trace_id,
        data,
        actor,
      })),
    );
    expect(output).toMatch(new RegExp(`in the file: ${events.length}, position: \\S+`));
    expect(output).toMatch(/export \[#+\] 100 % {2}\d+ events, \d+\/s, 0 s left/);
    const text = await read('a.ndjson');
    expect(text).toContain('Letters to');
    expect(text).not.toContain('jo@example.com');
    expect(await verified('a.ndjson')).toContain(`${events.length} events of`);
  });

  it('writes the same into typed columns of Parquet, and into CSV', async () => {
    await exported('b.parquet', '--tenant', tenant);
    await exported('b.csv', '--tenant', tenant);
    await exported('b.ndjson', '--tenant', tenant);
    const lines = linesOf(await read('b.ndjson'));
    const rows = await parquet('b.parquet');
    expect(rows).toEqual(
      lines.map(({ position, recorded_at, actor, trace_id, index, leaf_hash, event, hidden = null }) => ({
        position,
        tenant,
        trace_id,
        leaf_hash,
        hidden,
        recorded_at: new Date(recorded_at),
        stream: event.stream,
        category: event.stream.split('-')[0],
        revision: BigInt(event.revision),
        id: event.id,
        type: event.type,
        actor_kind: actor.kind,
        actor_id: actor.id,
        index: BigInt(index),
        data: event.data,
        metadata: event.metadata,
      })),
    );
    const file = await asyncBufferFromFile(join(folder, 'b.parquet', 'part-000001.parquet'));
    const { row_groups: groups } = await parquetMetadataAsync(file);
    expect(groups[0]!.columns[0]!.meta_data!.codec).toBe('ZSTD');
    const [head, ...csv] = (await read('b.csv')).trimEnd().split('\n');
    expect(head!.split(',')).toEqual(Object.keys(rows[0]));
    expect(csv).toHaveLength(rows.length);
    const titled = csv.find((line) => line.includes('Letters to'))!;
    expect(titled).toContain(String.raw`""title"":""Letters to [email], \""quoted\""""`);
  });

  it('filters by tenant, category, type, stream, time and position', async () => {
    const events = await shown();
    const middle = events[Math.floor(events.length / 2)];
    const positions = async (name: string, ...options: readonly string[]) => {
      await exported(name, '--tenant', tenant, ...options);
      return linesOf(await read(name)).map(({ position }) => position);
    };
    const those = (isOne: (event: Any) => boolean) => events.filter(isOne).map(({ position }) => position);
    const categories = ['--category', 'dataSource', '--category', 'source'];
    expect(await positions('c1.ndjson', ...categories)).toEqual(
      those(({ stream }) => /^(?:dataSource|source)-/.test(stream)),
    );
    expect(await positions('c2.ndjson', '--type', 'JobSucceeded')).toEqual(
      those(({ type }) => type === 'JobSucceeded'),
    );
    expect(await positions('c3.ndjson', '--stream', middle.stream)).toEqual(
      those(({ stream }) => stream === middle.stream),
    );
    expect(await positions('c4.ndjson', '--after', middle.position)).toEqual(
      those(({ position }) => position > middle.position),
    );
    const second = new Date(middle.time * 1_000).toISOString();
    expect(await positions('c5.ndjson', '--from', second)).toEqual(those(({ time }) => time >= middle.time));
    expect(await positions('c6.ndjson', '--to', String(middle.time))).toEqual(
      those(({ time }) => time < middle.time),
    );
    await exported('all.ndjson');
    const tenants = new Set(linesOf(await read('all.ndjson')).map((line) => line.tenant));
    expect(tenants.size).toBe(2);
  });

  it('goes on where a killed process left off, and where the log had ended, each event once', async () => {
    for (const name of ['d.ndjson', 'd.csv', 'd.parquet']) await exported(name, '--tenant', tenant);
    // What was written and not yet noted when the process was killed.
    for (const name of ['d.ndjson', 'd.csv']) await appendFile(join(folder, name), '{"position":"torn');
    await writeFile(join(folder, 'd.parquet', 'part-000002.parquet.tmp'), 'PAR1 torn');
    await writeFile(join(folder, 'd.parquet', 'part-000002.parquet'), 'PAR1 whole, but not noted');
    await ended(service, (await crawl(service, `${site.origin}/`)).id);
    for (const name of ['d.ndjson', 'd.csv', 'd.parquet']) await exported(name, '--tenant', tenant);
    const ids = (await shown()).map(({ id }) => id);
    expect(linesOf(await read('d.ndjson')).map(({ event }) => event.id)).toEqual(ids);
    expect((await parquet('d.parquet')).map(({ id }) => id)).toEqual(ids);
    expect((await read('d.csv')).trimEnd().split('\n')).toHaveLength(ids.length + 1);
    expect(await verified('d.ndjson')).toContain(`${ids.length} events of`);
    expect(await exported('d.parquet', '--tenant', tenant)).toContain('exported events: 0');
  });

  it('refuses what it cannot go on with, and says why', async () => {
    await writeFile(join(folder, 'mine.csv'), 'kept');
    await exported('e.ndjson', '--tenant', tenant);
    const refused = async (status: number, ...args: readonly string[]) => {
      const { code, output } = await service.command('events', 'export', ...args);
      expect([code, output]).toEqual([status, output]);
      return output;
    };
    expect(await refused(1, join(folder, 'mine.csv'))).toContain('name a new file');
    expect(await read('mine.csv')).toBe('kept');
    expect(await refused(1, join(folder, 'e.ndjson'))).toContain('name a new file, or ask for the same');
    expect(await refused(1, join(folder, 'e.txt'))).toContain('must end with .ndjson, .csv or .parquet');
    expect(await refused(2, '--tenant', 'nobody', join(folder, 'f.csv'))).toContain('no events of a tenant');
    expect(await refused(2, '--from', 'yesterday', join(folder, 'f.csv'))).toContain('--from takes a time');
    expect(await refused(1, '--after', 'z'.repeat(8), join(folder, 'f.csv'))).toMatch(/position/);
    expect(await refused(2)).toContain('usage: knowledger events');
  });
});

describe('what an operator reads of the log', { timeout: 180_000 }, () => {
  const told = async (...args: readonly [string, ...string[]]): Promise<string> => {
    const { code, output } = await service.command(...args);
    expect([code, output]).toEqual([0, output]);
    return output;
  };

  it('is each event of a record, with what it changed, as the API tells it', async () => {
    const { id } = await crawl(service, `${site.origin}/`);
    await ended(service, id);
    const output = await told('stream', 'show', id);
    const lines = output.split('\n').filter((line) => /^ +\d+ {2}/.test(line));
    const events = await shown(`stream=dataSource-${id}`);
    expect(lines).toHaveLength(events.length);
    for (const [nth, { type, actor, revision }] of events.entries())
      expect(lines[nth]).toMatch(
        new RegExp(`^ +${revision} {2}\\S+Z {2}${actor.kind} ${actor.id} {2}${type} {2}`),
      );
    const { changes } = await service.get('/crawls/{id}/changes', { path: { id }, query: { limit: 100 } });
    const statuses = changes.flatMap(({ fields }: Any) =>
      fields.filter(({ path }: Any) => path === '/status'),
    );
    expect(statuses.length).toBeGreaterThan(3);
    for (const { before, after } of statuses) expect(output).toContain(`status: -"${before}" +"${after}"`);
    expect(output).toMatch(/JobSucceeded .*ended_at: -null \+"\d{4}-\d\d-\d\dT[\d:.]+Z"/);
    expect(await told('stream', 'show', `dataSource-${id}`)).toContain(lines.at(-1));
  });

  it('is one key of the stream of all keys, without its hash', async () => {
    const made = await issued(service, { name: 'seen', scopes: ['audit:read'] });
    const output = await told('stream', 'show', made.id);
    expect(output).toContain(`apiKey-${tenant}`);
    expect(output).toMatch(/ApiKeyIssued .*name: \+"seen"/);
    expect(output.match(/ApiKeyIssued/g)).toHaveLength(1);
    expect(output).not.toContain('key_hash');
    const none = await service.command('stream', 'show', '01940000-0000-7000-8000-000000000000');
    expect([none.code, none.output]).toEqual([
      1,
      expect.stringContaining('there is no stream, and no record'),
    ]);
  });

  it('is how far each view is', async () => {
    const [{ position }] = await shown('order=desc&limit=1');
    await service.api('GET', '/crawls', undefined, { 'x-min-position': position });
    expect(await told('views', 'list')).toMatch(
      new RegExp(
        `^data_source: version 1, last moved \\S+Z, at position ${position}, at the end of the log$`,
        'm',
      ),
    );
    await inDatabase(service, ({ db }) =>
      sql`insert into projection_version (view, version, shape, live, position, moved_at)
        select view, version + 1, shape, false, '', now() from projection_version where view = 'tag' and live`.execute(
        db,
      ),
    );
    const line =
      /^tag: version 2 is being built, last moved \S+Z, at the beginning, behind by (\d+) events, \d+ s$/m;
    const [, behind] = line.exec(await told('views'))!;
    expect(Number(behind)).toBeGreaterThanOrEqual((await shown()).length);
  });
});
