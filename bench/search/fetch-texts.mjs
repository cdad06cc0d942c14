// Fetches the texts that the search bench searches: manuals from Debian's packages, unpacked into bench/data/texts.
// Where there is no apt-get, put folders of HTML there yourself.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PACKAGES = [
  'apache2-doc',
  'git-doc',
  'linux-doc-6.1',
  'postgresql-doc-15',
  'python3.11-doc',
  'sqlite3-doc',
];
const DATA = fileURLToPath(new URL('../data/', import.meta.url));
const [packages, unpacked, texts] = [`${DATA}packages`, `${DATA}unpacked`, `${DATA}texts`];

const run = promisify(execFile);

if (!existsSync(texts)) {
  try {
    await mkdir(packages, { recursive: true });
    await run('apt-get', ['download', ...PACKAGES], { cwd: packages });
    for (const name of await readdir(packages))
      await run('dpkg-deb', ['-x', `${packages}/${name}`, unpacked]);
    await rename(unpacked, texts);
    await rm(packages, { recursive: true });
  } catch (error) {
    console.error(
      `the texts for the bench "search" are not there: put folders of HTML into ${texts} (${error.message})`,
    );
  }
}
