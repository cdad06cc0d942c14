import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openJourney, type Tenant } from '../support/journey.ts';

const CLIENT = new URL('../../docs/push-client.mjs', import.meta.url).pathname;

const journey = openJourney();
let tenant: Tenant;
let folder: string;
beforeAll(async () => {
  tenant = await journey.tenant();
  folder = await mkdtemp(join(tmpdir(), 'knowledger-feed-'));
  journey.closing(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'in'));
}, 120_000);

/** Runs the client; answers what it prints, and how it ends. */
const feed = async (
  args: readonly string[] = ['Feed', folder],
  key = tenant.key,
): Promise<{ readonly code: number | null; readonly lines: readonly string[] }> => {
  const env = { ...process.env, KNOWLEDGER_URL: tenant.base, KNOWLEDGER_API_KEY: key };
  const client = spawn(process.execPath, [CLIENT, ...args], { env });
  let text = '';
  for (const stream of [client.stdout, client.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => {
    client.on('close', resolve);
  });
  return {
    code,
    lines: text
      .trim()
      .split('\n')
      .map((line) => line.trim()),
  };
};
const titles = async (): Promise<readonly string[]> => {
  const { body } = await tenant.api('GET', '/sources');
  return body.sources.map(({ title }: { title: string }) => title).toSorted();
};

describe('the example of a client', { timeout: 120_000 }, () => {
  it('says in a line what is missing', async () => {
    const usage = 'usage: push-client.mjs <name of the push> <folder>';
    expect(await feed(['Feed'])).toEqual({ code: 1, lines: [usage] });
    const { code, lines } = await feed(undefined, 'kn_unknown');
    expect([code, lines]).toEqual([1, [expect.stringContaining('API key')]]);
  });

  it('feeds a folder, and later what has changed in it', async () => {
    await writeFile(join(folder, 'heron.md'), '# Herons\n\nThe heron stands in reeds.');
    await writeFile(join(folder, 'in', 'kestrel.txt'), 'the kestrel hovers');
    await writeFile(join(folder, 'in', 'left.bin'), 'nobody reads this');
    const first = await feed();
    expect(first.lines.toSorted()).toEqual(['indexed heron.md', 'indexed in/kestrel.txt', 'success']);
    expect([first.code, await titles()]).toEqual([0, ['Herons', 'kestrel']]);

    await rm(join(folder, 'in', 'kestrel.txt'));
    await writeFile(join(folder, 'heron.md'), '# Grey herons\n\nThe heron fishes.');
    expect(await feed()).toEqual({ code: 0, lines: ['indexed heron.md', 'gone in/kestrel.txt', 'success'] });
    await expect.poll(titles, { timeout: 30_000 }).toEqual(['Grey herons']);
    const { body } = await tenant.api('GET', '/pushes');
    expect(body.pushes).toMatchObject([{ name: 'Feed', status: 'success' }]);
  });

  it('goes on past a document that is refused, and past folders, and says so', async () => {
    await writeFile(join(folder, 'empty.txt'), '');
    await mkdir(join(folder, 'folder.md'));
    const { code, lines } = await feed();
    expect([code, lines.toSorted()]).toEqual([
      0,
      ['indexed heron.md', 'refused empty.txt the document has no bytes', 'success'],
    ]);
    await rm(join(folder, 'empty.txt'));
    await rm(join(folder, 'folder.md'), { recursive: true });
  });

  it('takes out next time what a run brought that broke off', async () => {
    await writeFile(join(folder, 'wren.md'), '# Wrens');
    const list = join(folder, '.pushed.json');
    // A name that cannot be asked for breaks the run off behind the documents.
    await writeFile(list, JSON.stringify(['heron.md', '\ud800']));
    expect((await feed()).code).toBe(1);
    expect(JSON.parse(await readFile(list, 'utf8'))).toContain('wren.md');
    await writeFile(list, JSON.stringify(['heron.md', 'wren.md']));
    await rm(join(folder, 'wren.md'));
    expect((await feed()).lines).toContain('gone wren.md');
    await expect.poll(titles, { timeout: 30_000 }).toEqual(['Grey herons']);
  });
});
