import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withKey } from '../support/client.ts';
import { crawl, emptyGroup, ended, gone } from '../support/crawls.ts';
import { inDatabase } from '../support/database.ts';
import { HAS_DUCKDB, queried } from '../support/duckdb.ts';
import { openJourney } from '../support/journey.ts';
import { issued } from '../support/keys.ts';
import { provesConsistency, provesInclusion, treeHash } from '../support/log-proof.ts';
import type { Service } from '../support/service.ts';
import { page, type Site } from '../support/site.ts';

const VERIFIER = fileURLToPath(new URL('../../docs/verify-export.mjs', import.meta.url));
const journey = openJourney();
let service: Service;
let site: Site;
let folder: string;
/** A crawl that was deleted. */
let deleted = '';
beforeAll(async () => {
  site = await journey.site({
    '/': page('Start', 'x', ['/jo']),
    '/jo': page('Letters to jo@example.com', 'text'),
  });
  service = await journey.service({
    KNOWLEDGER_ALLOW_ADDRESSES: site.host,
    KNOWLEDGER_CHECKPOINT_ORIGIN: 'log.example',
    KNOWLEDGER_CHECKPOINT_KEY: Buffer.alloc(32, 5).toString('base64'),
  });
  folder = await mkdtemp(join(tmpdir(), 'knowledger-proofs-'));
  deleted = (await crawl(service, `${site.origin}/`)).id;
  await ended(service, deleted);
  // Titles that were stored before it are hidden from readers.
  const policy = {
    name: 'p',
    applies_to: ['content'],
    rules: [{ name: 'email', kind: 'email', replacement: '[email]' }],
  } as const;
  await service.post('/redaction-policies', { body: policy });
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

// oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
type Any = any;
const ok = async (path: string, headers: { readonly [name: string]: string } = {}): Promise<Any> => {
  const { status, body } = await service.api('GET', path, undefined, headers);
  expect([path, status, body]).toEqual([path, 200, body]);
  return body;
};
/** The newest checkpoint, of all that is in the log now. */
const checkpoint = async (): Promise<Any> => {
  const { pagination, events } = await ok('/events?order=desc&limit=1');
  expect(pagination.has_more).toBe(true);
  return ok('/audit/checkpoint', { 'x-min-position': events[0].position });
};
const inclusionOf = ({ stream, revision }: Any, size: number): string =>
  `/audit/proofs/inclusion?stream=${stream}&revision=${revision}&size=${size}`;
const everyEvent = async (): Promise<Any[]> => {
  const { body } = await service.api('GET', '/events', undefined, { accept: 'application/x-ndjson' });
  return body
    .trimEnd()
    .split('\n')
    .map((line: string) => JSON.parse(line));
};
const run = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [VERIFIER, ...args]).then(
    ({ stdout }) => stdout,
    ({ stderr }) => `failed: ${stderr}`,
  );
/** What the store shows of an event is changed by hand. */
const edit = async ({ id }: Any): Promise<void> => {
  const { standIn } = service.backing;
  if (standIn === undefined)
    await inDatabase(service, ({ db }) =>
      sql`update es.events set data = replace(data::text, 'success', 'failure')::json,
        type = replace(type, 'Requested', 'Refused') where event_id = ${id}::uuid`.execute(db),
    );
  else {
    const stored = standIn.log.records.find((record) => record.id === id)! as { type: string };
    stored.type = stored.type.replace('Requested', 'Refused');
  }
};

describe('an auditor', { timeout: 180_000 }, () => {
  it('gets a checkpoint, and proofs of all events that it covers', async () => {
    const first = await checkpoint();
    await service.delete('/crawls/{id}', { path: { id: deleted } });
    await gone(service, deleted);
    const second = await checkpoint();
    expect(second.size).toBeGreaterThan(first.size);
    const root = Buffer.from(second.root_hash, 'base64');
    const events = (await everyEvent()).slice(0, second.size);
    const proofs = await Promise.all(events.map((event) => ok(inclusionOf(event, second.size))));
    expect(proofs.map(({ index }) => index)).toEqual(events.map((_, index) => index));
    for (const { leaf, index, hashes } of proofs)
      expect(provesInclusion(leaf, index, second.size, hashes, root)).toBe(true);
    expect(treeHash(proofs.map(({ leaf }) => leaf))).toEqual(root);
    const { hashes } = await ok(`/audit/proofs/consistency?from=${first.size}&to=${second.size}`);
    expect(provesConsistency(first, second, hashes)).toBe(true);
    const { checkpoints } = await ok('/audit/checkpoints?limit=100');
    expect(checkpoints.map(({ size }: Any) => size)).toEqual(
      expect.arrayContaining([first.size, second.size]),
    );
    expect(checkpoints.at(-1)).toEqual(second);
    const newest: Any[] = [];
    for (let after = ''; ;) {
      const { checkpoints: some, pagination } = await ok(`/audit/checkpoints?order=desc&limit=1${after}`);
      newest.push(...some);
      if (!pagination.has_more) break;
      after = `&after=${pagination.next_id}`;
    }
    expect(newest).toEqual(checkpoints.toReversed());
  });

  it('verifies an export without this program, redacted titles and hashes of keys included', async () => {
    const { size, note } = await checkpoint();
    const { keys, origin } = await ok('/audit/keys');
    const events = (await everyEvent()).slice(0, size);
    const lines: Any[] = await Promise.all(events.map((event) => ok(inclusionOf(event, size))));
    const redacted = lines.filter(
      ({ event, hidden }) => hidden?.title?.hash && event.data.title !== undefined,
    );
    expect(redacted.map(({ event }) => event.data.title).join()).toContain('Letters to');
    expect(JSON.stringify(lines)).not.toContain('jo@example.com');
    expect(lines.some(({ hidden }) => hidden?.title?.salt)).toBe(true);
    expect(lines.some(({ event, hidden }) => hidden?.key_hash?.hash && !('key_hash' in event.data))).toBe(
      true,
    );
    const written = async (all: readonly Any[]) => {
      await writeFile(join(folder, 'export'), all.map((line) => `${JSON.stringify(line)}\n`).join(''));
      await writeFile(join(folder, 'checkpoint'), note);
      return run(join(folder, 'export'), join(folder, 'checkpoint'), keys[0].key);
    };
    expect(await written(lines)).toBe(
      `${size} events of ${origin} are among the ${size} that the checkpoint covers\n`,
    );
    const without = lines.map((line, at) => (at % 3 === 0 ? { index: at, leaf_hash: line.leaf_hash } : line));
    expect(await written(without)).toContain(`are among the ${size} that the checkpoint covers`);
    const at = lines.findIndex(({ event }) => event.type === 'JobSucceeded');
    const { stream, revision } = lines[at].event;
    const edited = lines.map((line, n) =>
      n === at ? { ...line, event: { ...line.event, type: 'JobFailed' } } : line,
    );
    expect(await written(edited)).toBe(
      `failed: index ${at}: revision ${revision} of ${stream} is not the event of this hash\n`,
    );
    expect(await written(lines.slice(0, -1))).toContain(`the export ends after ${size - 1}`);
    const swapped = lines.toSpliced(3, 2, { ...lines[4], index: 3 }, { ...lines[3], index: 4 });
    expect(await written(swapped)).toContain('not those that the checkpoint covers');
    const other = keys[0].key.replace(/\+[^+]{8}\+/, '+00000000+');
    expect(await run(join(folder, 'export'), join(folder, 'checkpoint'), other)).toContain(
      'the id of the verifier key',
    );
  });

  it('reads the log as tiles: the checkpoint as it was signed, hashes, and canonical events', async () => {
    const { note, size, root_hash: root } = await checkpoint();
    const prefix = `/audit/log/${note.split('\n')[0].split('/').at(-1)}`;
    expect((await service.api('GET', `${prefix}/checkpoint`)).body).toBe(note);
    const read = async (tile: string): Promise<Buffer> => {
      const response = await fetch(`${service.base}/api/v1${prefix}/tile/${tile}`, {
        headers: { authorization: `Bearer ${service.key}` },
      });
      expect([tile, response.status]).toEqual([tile, 200]);
      return Buffer.from(await response.arrayBuffer());
    };
    const part = `.p/${size}`;
    const bundle = await read(`entries/000${part}`);
    const leaves: string[] = [];
    for (let at = 0; at < bundle.length; at += 2 + bundle.readUInt16BE(at))
      leaves.push(bundle.toString('utf8', at + 2, at + 2 + bundle.readUInt16BE(at)));
    expect((await read(`0/000${part}`)).equals(Buffer.concat(leaves.map((leaf) => treeHash([leaf]))))).toBe(
      true,
    );
    expect(size).toBeLessThan(256);
    expect(treeHash(leaves).toString('base64')).toBe(root);
    for (const wrong of ['0/001', '1/000.p/200', 'entries/x', '0/000.p/0', '64/000'])
      expect((await service.api('GET', `${prefix}/tile/${wrong}`)).status).toBe(404);
  });

  it('shows nothing of it to other tenants and to restricted keys', async () => {
    const [own] = await everyEvent();
    const [prefix, proof] = [`/audit/log/${own.actor.tenant}`, inclusionOf(own, 1).replace(/&size.*/, '')];
    const { output } = await service.command('tenant', 'others');
    const other = withKey(service, /kn_\S+/.exec(output)![0]);
    for (const path of [`${prefix}/checkpoint`, `${prefix}/tile/entries/000.p/1`, proof])
      expect([path, (await other.api('GET', path)).status]).toEqual([path, 404]);
    expect(await other.get('/audit/checkpoint')).toMatchObject({ size: 1 });
    const group = await emptyGroup(service);
    const { key } = await issued(service, { scopes: ['audit:read'], source_group_ids: [group] });
    const restricted = withKey(service, key);
    for (const path of [
      '/audit/checkpoint',
      '/audit/checkpoints',
      '/audit/keys',
      `${prefix}/checkpoint`,
      proof,
    ])
      expect([path, (await restricted.api('GET', path)).body.error.type]).toEqual([path, 'key_restricted']);
  });

  it('has an event named that somebody edited in the store, by what was taken along before', async () => {
    const { id: canceled } = await crawl(service, `${site.origin}/`);
    await service.post('/crawls/{id}/cancel', { path: { id: canceled } });
    await ended(service, canceled);
    const { size, note } = await checkpoint();
    await writeFile(join(folder, 'kept'), note);
    const [
      {
        actor: { tenant },
      },
    ] = await everyEvent();
    const taken = async (verb: string, name: string): Promise<string> => {
      const path = join(folder, name);
      const { code, output } = await service.command('events', verb, '--tenant', tenant, path);
      expect([code, output]).toEqual([0, expect.stringMatching(/exported events: [1-9]/)]);
      return path;
    };
    const log = await taken('export', 'log.ndjson');
    const database = HAS_DUCKDB ? await taken('into', 'log.duckdb') : null;
    const whole = await service.command('audit', 'verify', '--against', join(folder, 'kept'));
    expect([whole.code, whole.output]).toEqual([0, expect.stringContaining('no difference')]);
    const events = await everyEvent();
    const event = events.find(({ type }) => type === 'DataSourceDeletionRequested');
    const index = events.indexOf(event);
    await edit(event);
    const { code, output } = await service.command('audit', 'verify');
    expect([code, output]).toEqual([
      1,
      expect.stringContaining(
        `edited at index ${index}, revision ${event.revision} of ${event.stream}, position ${event.position}`,
      ),
    ]);
    const proof = await service.api('GET', inclusionOf(event, size));
    expect([proof.status, proof.body.error.type]).toEqual([500, 'history_damaged']);
    await ok(inclusionOf(events[0], size));
    // What was taken along before the edit still proves itself, and tells what was there.
    const { keys } = await ok('/audit/keys');
    expect(await run(log, join(folder, 'kept'), keys[0].key)).toMatch(
      new RegExp(`^\\d+ events of .* are among the ${size} that the checkpoint covers\\n$`),
    );
    if (database === null) return;
    const [row] = await queried(
      database,
      `SELECT e.type, e.leaf_hash, d.deleted_by, d.took > INTERVAL 0 SECOND AS took_time, j.outcome AS canceled
        FROM events e JOIN deletions d ON d.id = '${deleted}' JOIN jobs j ON j.data_source_id = '${canceled}'
        WHERE e.id = '${event.id}'`,
    );
    expect(row).toEqual({
      type: 'DataSourceDeletionRequested',
      leaf_hash: expect.any(String),
      deleted_by: event.actor.id,
      took_time: true,
      canceled: 'canceled',
    });
  });
});
