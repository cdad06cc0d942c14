import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readBrowser } from '../../composition/browser-config.ts';

/** A folder with a program of this name. */
const folderWith = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'browser-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), '');
  chmodSync(join(folder, name), 0o700);
  return folder;
};

describe('the browser of a service', () => {
  it('is the one that its configuration names', () => {
    const path = join(folderWith('my-browser'), 'my-browser');
    expect(readBrowser({ KNOWLEDGER_BROWSER: path })).toMatchObject({
      program: { kind: 'installed', path },
      sandbox: true,
    });
  });

  it('is else one of the search path, the one without windows first', () => {
    const folders = [folderWith('google-chrome'), folderWith('chromium-headless-shell')];
    expect(readBrowser({ PATH: folders.join(':') }).program).toEqual({
      kind: 'installed',
      path: join(folders[1]!, 'chromium-headless-shell'),
    });
  });

  it('is none where it is switched off, and that says how it is switched on', () => {
    const { program, missing } = readBrowser({ KNOWLEDGER_BROWSER: 'off', PATH: folderWith('chromium') });
    expect([program, missing]).toEqual([null, expect.stringContaining('KNOWLEDGER_BROWSER=off')]);
  });
});
