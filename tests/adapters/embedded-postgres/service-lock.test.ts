import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeServiceLock } from '../../../adapters/embedded-postgres/service-lock.ts';

describe('the lock of a data directory', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'knowledger-lock-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const path = (): string => join(directory, 'service.lock');
  const leave = (holder: object): Promise<void> =>
    writeFile(path(), JSON.stringify({ host: hostname(), born: '', token: 't', ...holder }));
  const endedProcess = async (): Promise<number> => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    return child.pid!;
  };

  it('goes to exactly one of many that ask at once, also when a dead one held it', async () => {
    await leave({ pid: await endedProcess() });
    const asked = await Promise.allSettled(Array.from({ length: 10 }, () => takeServiceLock(directory)));
    const winners = asked.filter((outcome) => outcome.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    await winners[0]!.value();
    expect(await readdir(directory)).toEqual([]);
  });

  it('is taken over from a process that has ended, from a namesake by pid, and from a former life of this pid', async () => {
    for (const pid of [await endedProcess(), process.ppid, process.pid]) {
      await leave({ pid, born: 'another boot/1' });
      await (
        await takeServiceLock(directory)
      )();
    }
    expect(await readdir(directory)).toEqual([]);
  });

  it.each(['', 'garbage', '{"pid":1}', 'null'])(
    'is taken over where it holds "%s", which nobody leaves who lives, unless a server runs',
    async (text) => {
      await writeFile(path(), text);
      await expect(takeServiceLock(directory, async () => 4711)).rejects.toThrow(/damaged.*process 4711/);
      expect(await readFile(path(), 'utf8')).toBe(text);
      const release = await takeServiceLock(directory, async () => null);
      await release();
      expect(await readdir(directory)).toEqual([]);
    },
  );

  it('is never taken from another host, whose processes cannot be seen', async () => {
    await leave({ pid: await endedProcess(), host: 'elsewhere' });
    await expect(takeServiceLock(directory)).rejects.toThrow(/on elsewhere; .* delete .*service\.lock/);
    expect(await readFile(path(), 'utf8')).toContain('elsewhere');
  });

  it('is left alone by a release that comes after another has taken it', async () => {
    const release = await takeServiceLock(directory);
    await leave({ pid: 1, token: 'other' });
    await release();
    expect(await readFile(path(), 'utf8')).toContain('other');
  });
});
