import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

it(
  'the client for TypeScript is built to modules and types that need nothing else',
  { timeout: 60_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'knowledger-client-'));
    try {
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
      const project = join(ROOT, 'clients/typescript/tsconfig.build.json');
      await run(process.execPath, [tsc, '-p', project, '--outDir', join(folder, 'dist')]);
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      const use = `import { createClient, KnowledgerError } from './dist/index.js';
      const client = createClient({ url: 'http://127.0.0.1:1', key: 'k', attempts: 1 });
      const error = await client.get('/tags').catch((failed) => failed);
      console.log(error instanceof TypeError, error instanceof KnowledgerError);`;
      await writeFile(join(folder, 'use.js'), use);
      const { stdout } = await run(process.execPath, ['use.js'], { cwd: folder });
      expect(stdout.trim()).toBe('true false');
      await writeFile(
        join(folder, 'use.ts'),
        `import { createClient } from './dist/index.js';
      const record = await createClient({ url: '', key: '' }).waitFor('/crawls', 'id');
      export const url: string = record.start_url;
      // @ts-expect-error -- there is no such list
      await createClient({ url: '', key: '' }).waitFor('/nothing', 'id');`,
      );
      await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      const options = [
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2024',
        '--types',
        'node',
      ];
      await run(process.execPath, [tsc, ...options, 'use.ts'], { cwd: folder });
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
