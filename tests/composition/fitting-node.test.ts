import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface FittingNode {
  readonly fits: (version: string) => boolean;
  readonly bundledNode: (root: string, system: { platform: string; arch: string }) => string;
  readonly whyItFails: (node: string) => string | null;
}
const ROOT = new URL('../../', import.meta.url);
const { fits, bundledNode, whyItFails } = (await import(
  new URL('composition/fitting-node.mjs', ROOT).href
)) as FittingNode;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'knowledger-node-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const program = async (name: string, text: string): Promise<string> => {
  const file = join(folder, name);
  await writeFile(file, text);
  await chmod(file, 0o755);
  return file;
};

describe('a Node that fits', () => {
  it.each([
    ['18.20.8', false],
    ['22.23.3', false],
    ['24.11.9', false],
    ['24.12.0', true],
    ['24.21.0', true],
    ['25.0.0', true],
    ['26.10.0', true],
  ])('%s: %s', (version, expected) => {
    expect(fits(version)).toBe(expected);
  });

  it('lies in the package of its platform, all in exact versions of one major that fits', async () => {
    const { engines, optionalDependencies } = JSON.parse(
      await readFile(new URL('composition/bundled-node/package.json', ROOT), 'utf8'),
    ) as {
      readonly engines: { readonly node: string };
      readonly optionalDependencies: Readonly<Record<string, string>>;
    };
    const systems = ['linux x64', 'linux arm64', 'darwin x64', 'win32 x64'];
    const paths = systems.map((system) => {
      const [platform = '', arch = ''] = system.split(' ');
      return bundledNode('/app', { platform, arch });
    });
    const packages = paths.map((path) => /^\/app\/node_modules\/([^/]+)\/bin\/node(\.exe)?$/.exec(path)?.[1]);
    expect(new Set(packages)).toEqual(new Set(Object.keys(optionalDependencies)));
    const versions = Object.values(optionalDependencies);
    expect(versions.filter((version) => !fits(version) || !version.startsWith('24.'))).toEqual([]);
    // npm installs it exactly where the system's Node does not fit.
    expect([engines.node, fits('24.11.9'), fits('24.12.0')]).toEqual(['<24.12', false, true]);
  });

  it('runs', () => {
    expect(whyItFails(process.execPath)).toBeNull();
  });

  it.skipIf(process.platform === 'win32')('needs a library: it says which, and what to install', async () => {
    const line = 'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file';
    const node = await program('lacking', `#!/bin/sh\necho "${line}" >&2\nexit 127\n`);
    expect(whyItFails(node)).toMatch(/library libatomic\.so\.1, .* apt-get install libatomic1\)$/);
  });

  it.skipIf(process.platform === 'win32')('is made for another C library: it says so', async () => {
    const node = await program('foreign', '#!/lib64/no-such-loader\n');
    expect(whyItFails(node)).toContain('made for glibc');
  });

  it.skipIf(process.platform === 'win32')('fails in another way: it says what it said', async () => {
    const node = await program('broken', '#!/bin/sh\necho "version GLIBC_2.28 not found" >&2\nexit 1\n');
    expect(whyItFails(node)).toBe('version GLIBC_2.28 not found');
  });
});
