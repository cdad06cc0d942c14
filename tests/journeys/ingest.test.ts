import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let home: string;
beforeAll(async () => {
  service = await startService({ KNOWLEDGER_LOG_LEVEL: 'warn' });
  home = await mkdtemp(join(tmpdir(), 'knowledger-ingest-'));
}, 120_000);
afterAll(async () => {
  await service.dispose();
  await rm(home, { recursive: true });
});

/** A new folder, whose group has its name. */
const folderOfBirds = async (): Promise<string> => {
  const folder = await mkdtemp(join(home, 'birds-'));
  await mkdir(join(folder, 'deep'));
  await mkdir(join(folder, '.git'));
  await writeFile(join(folder, 'a.md'), '# Dippers\n\nThe dipper walks under water.');
  await writeFile(join(folder, 'deep', 'a.md'), "# The swift's sleep\n\nThe swift sleeps in the air.");
  // Ids decide what is listed first: of these, all but two have no title.
  for (const name of ['broken', 'torn', 'odd', 'cut', 'bad', 'void'])
    await writeFile(join(folder, `${name}.pdf`), 'no PDF at all');
  await writeFile(join(folder, '.git', 'secret.md'), '# Secret');
  await symlink('/etc/passwd', join(folder, 'link.md'));
  return folder;
};

const ingest = (...args: readonly string[]) =>
  service.command('ingest', ...args, '--url', service.base, '--key', service.key);

describe('npm run ingest', { timeout: 120_000 }, () => {
  it('uploads a folder, waits until it is read, and ends with a search that finds it', async () => {
    const { code, output } = await ingest(await folderOfBirds());
    expect(output).toContain('8 of 8 files');
    expect(output).toMatch(/6 files could not be read:\n(?: {2}.*\n)* {2}broken\.pdf: /);
    expect(code).toBe(0);
    const line = output.split('\n').findLast((each) => each.includes('curl ')) ?? '';
    const env = { PATH: process.env['PATH'] ?? '', KEY: service.key };
    const answer: unknown = JSON.parse(execFileSync('sh', ['-c', line], { encoding: 'utf8', env }));
    expect(answer).toMatchObject({ results: expect.arrayContaining([expect.anything()]) });
    expect(output).not.toContain(service.key);
  });

  it('sends what is new alone, into the group of the same name', async () => {
    const folder = await folderOfBirds();
    await ingest(folder);
    await writeFile(join(folder, 'new.txt'), 'the wryneck is back');
    const { code, output } = await ingest(folder);
    expect([code, output]).toEqual([0, expect.stringContaining('of 9 files are there already')]);
    const { body } = await service.api('GET', `/local-file-groups?name=${basename(folder)}`);
    expect(body.local_file_groups).toHaveLength(1);
    const found = await service.api('POST', '/search', { query: 'wryneck' });
    expect(found.body.results[0].content.title).toBe('new');
  });

  it.each([
    [['nowhere'], 'nowhere is not there'],
    [[], 'name a folder or files'],
    [['--colour', 'red'], "Unknown option '--colour'"],
  ])('says what is wrong with %j', async (args, message) => {
    const { code, output } = await service.command('ingest', ...args, '--key', 'kn_x');
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
  });

  it('says where to get a key, and whether anybody answers', async () => {
    const nobody = ['--url', 'http://127.0.0.1:59998', '--key', 'kn_x'];
    const folder = await folderOfBirds();
    const { output } = await service.command('ingest', folder, ...nobody);
    expect(output).toContain(
      'does not answer (ECONNREFUSED): is the service running there? KNOWLEDGER_URL names',
    );
    const refused = await service.command('ingest', folder, '--url', service.base, '--key', 'kn_x');
    expect(refused.output).toContain('this API key is not known');
  });
});
