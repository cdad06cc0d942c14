import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApp, runApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();
let folder: string;
let app: RunningApp;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'knowledger-console-'));
  app = await runApp(() => ({ consoleFolder: folder }));
});
afterAll(() => rm(folder, { recursive: true }));

const get = async (path: string, method = 'GET') => {
  const response = await fetch(app.url + path, { method });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('the console', () => {
  it('says how to build it where it is not built', async () => {
    const { status, text } = await get('/console');
    expect([status, JSON.parse(text).error.type]).toEqual([404, 'not_found']);
    expect(text).toContain('npm run console:build');
  });

  it('has one page for all its addresses, which only takes files of this service and is not framed', async () => {
    await writeFile(join(folder, 'index.html'), '<p>page</p>');
    for (const path of ['/console', '/console/', '/console/sources/crawl/1']) {
      const { status, text, headers } = await get(path);
      expect([path, status, text, headers.get('cache-control')]).toEqual([
        path,
        200,
        '<p>page</p>',
        'no-cache',
      ]);
      const policy = headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
    }
    expect((await get('/console/sources', 'POST')).status).toBe(405);
  });

  it('keeps files for ever, whose names change with them, and has no page in their place', async () => {
    await mkdir(join(folder, 'assets'), { recursive: true });
    await writeFile(join(folder, 'assets/a-1.js'), 'run()');
    const { status, headers, text } = await get('/console/assets/a-1.js');
    expect([status, text]).toEqual([200, 'run()']);
    expect(headers.get('content-type')).toContain('javascript');
    expect(headers.get('cache-control')).toContain('immutable');
    expect((await get('/console/assets/a-2.js')).status).toBe(404);
    expect((await get('/console/assets/..%2findex.html')).status).toBe(404);
  });
});
