import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { execFileSync, spawnSync } from 'node:child_process';
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
    expect(output).toContain('2 files are indexed, 0 are of types that are not read, 6 could not be read.');
    expect(output).toMatch(/Not read, or not as a whole:\n(?: {2}.*\n)* {2}broken\.pdf: /);
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
    expect([code, output]).toEqual([0, expect.stringContaining('2 of 9 files are there already')]);
    expect(output).toContain('6 of 9 files are not sent again');
    expect(output).toContain('1 of 1 files');
    expect(output).toMatch(/ {2}broken\.pdf: /);
    const body = await service.get('/local-file-groups', { query: { name: basename(folder) } });
    expect(body.local_file_groups).toHaveLength(1);
    const found = await service.post('/search', { body: { query: 'wryneck' } });
    expect(found.results[0]!.content.title).toBe('new');
  });

  it('counts and names what is of a type that is not read, and ends with a search that the shell of the caller can send', async () => {
    const folder = await mkdtemp(join(home, 'nests-'));
    await writeFile(join(folder, 'a.md'), '# Nests\n\nThe wren weaves several.');
    await writeFile(join(folder, 'program.bin'), Uint8Array.of(0, 1, 2, 3));
    for (let number = 0; number < 21; number += 1) await writeFile(join(folder, `${number}.pdf`), 'no PDF');
    const env = {
      PATH: process.env['PATH'] ?? '',
      KNOWLEDGER_API_KEY: service.key,
      KNOWLEDGER_URL: service.base,
    };
    const output = execFileSync(process.execPath, [service.program, 'ingest', folder], {
      encoding: 'utf8',
      env,
    });
    expect(output).toContain('1 files are indexed, 1 are of types that are not read, 21 could not be read.');
    expect(output).toMatch(/ {2}… and 2 more: GET \/api\/v1\/local-file-groups\/[-0-9a-f]+\/errors\n/);
    const [group] = /(?<=local-file-groups\/)[-0-9a-f]+(?=\/errors)/.exec(output) ?? [];
    const body = await service.get('/local-file-groups/{id}/errors', {
      path: { id: group! },
      query: { limit: 100 },
    });
    const named = body.errors.find(({ locator }: { locator: string }) => locator === 'program.bin');
    expect(named).toMatchObject({ code: 'unsupported_file_type' });
    const line = output.split('\n').findLast((each) => each.includes('curl ')) ?? '';
    for (const name of ['KEY', 'KNOWLEDGER_API_KEY']) {
      const shell = { PATH: process.env['PATH'] ?? '', [name]: service.key };
      expect(execFileSync('sh', ['-c', line], { encoding: 'utf8', env: shell })).toContain('several');
    }
  });

  it.each([
    [['docs', '--url', '127.0.0.1:3000'], 'is not the address of a service: write it like http://'],
    [['nowhere'], 'nowhere is not there'],
    [[], 'name a folder or files'],
    [['--colour', 'red'], "Unknown option '--colour'"],
  ])('says what is wrong with %j', async (args, message) => {
    const { code, output } = await service.command('ingest', ...args, '--key', 'kn_x');
    expect([code, output]).toEqual([2, expect.stringContaining(message)]);
  });

  it('says where to get a key, and whether anybody answers', async () => {
    const nobody = ['--url', 'http://127.0.0.1:59998', '--key', 'kn_x'];
    const folder = await folderOfBirds();
    const { output } = await service.command('ingest', folder, ...nobody);
    expect(output).toContain(
      'does not answer (ECONNREFUSED): is the service running there? set KNOWLEDGER_URL',
    );
    const refused = await service.command('ingest', folder, '--url', service.base, '--key', 'kn_x');
    expect(refused.output).toContain('this API key is unknown');
  });
});

describe('knowledger', { timeout: 120_000 }, () => {
  /** The command as it is installed, in a folder of its own for what it keeps. */
  const knowledger = (args: readonly string[], env: Readonly<Record<string, string>> = {}, input = '') => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['composition/knowledger.mjs', ...args], {
      input,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: home, ...env },
    });
    const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
    return { status, stdout, stderr, records: lines.map((line) => JSON.parse(line)) };
  };

  it('keeps a service, and searches, asks and manages it, with lines of JSON for programs', async () => {
    expect(knowledger(['sources'])).toMatchObject({ status: 2, stderr: expect.stringContaining('login') });
    const bad = knowledger(['login', '--url', service.base], {}, 'kn_wrong\n');
    expect([bad.status, bad.stderr.includes('kn_wrong')]).toEqual([4, false]);
    expect(knowledger(['login', '--url', service.base], {}, `${service.key}\n`).status).toBe(0);
    const file = join(home, 'knowledger', 'profile.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const folder = await folderOfBirds();
    expect(knowledger(['ingest', folder]).status).toBe(0);
    const group = knowledger(['sources', '--name', basename(folder)]).records[0];
    expect(group).toMatchObject({ source_type: 'local_file', status: 'success' });
    expect(knowledger(['sources', 'wait', group.id]).records[0].progress.indexed).toBe(2);
    const [hit] = knowledger(['search', 'dipper', 'water', '--limit', '1', '--source', group.id]).records;
    expect(hit.content.title).toBe('Dippers');
    const answer = knowledger(['ask', 'where does the swift sleep?', '--source', group.id]).records[0];
    expect(answer.choices[0].message.content).toContain('sleeps in the air');
    const errors = knowledger(['jobs', 'errors', '--source', group.id]).records;
    expect(errors.map(({ locator }) => locator)).toContain('broken.pdf');

    const issued = knowledger(['keys', 'issue', '--scope', 'inference:run', 'Asking only']).records[0];
    const asking = { KNOWLEDGER_URL: service.base, KNOWLEDGER_API_KEY: issued.key };
    expect(knowledger(['sources'], asking).status).toBe(4);
    expect(knowledger(['keys', 'revoke', issued.id]).status).toBe(0);
    expect(knowledger(['sources', 'delete', group.id]).status).toBe(0);
    expect(knowledger(['sources', 'show', '00000000-0000-8000-8000-000000000001']).status).toBe(3);
    expect(knowledger(['sources', 'burn', group.id]).status).toBe(2);
    expect(knowledger(['sources'], { ...asking, KNOWLEDGER_URL: 'http://127.0.0.1:9' }).status).toBe(5);
    await chmod(file, 0o644);
    expect(knowledger(['sources'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('chmod 600'),
    });
  });

  it('completes its commands, actions and options in bash', () => {
    const { stdout } = knowledger(['completion', 'bash']);
    const complete = (line: string) =>
      execFileSync(
        'bash',
        [
          '-c',
          `${stdout}\nCOMP_WORDS=(knowledger ${line}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _knowledger; echo "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8' },
      ).trim();
    expect(complete('sea')).toBe('search');
    expect(complete('sources s')).toBe('show sync');
    expect(complete('crawl --p')).toBe('--pages');
  });
});
