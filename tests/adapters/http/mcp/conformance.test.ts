import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY } from '../fake-records.ts';
import { runApp, stopServersAfterAll } from '../running-app.ts';

const suite = (() => {
  try {
    return createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');
  } catch {
    console.warn('skipped: @modelcontextprotocol/conformance is not installed');
    return null;
  }
})();

/** What the suite asks of every server; the other scenarios call tools and prompts that only its own example has. */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'server-sse-multiple-streams',
  'resources-list',
  'dns-rebinding-protection',
];

stopServersAfterAll();

describe.skipIf(suite === null)('the conformance suite of the protocol', () => {
  /** Adds the key: the suite sends none. */
  const front = createServer();
  beforeAll(async () => {
    const { url } = await runApp();
    front.on('request', (given, response) => {
      const headers = { ...given.headers, 'x-api-key': KEY };
      const asked = request(url + given.url!, { method: given.method, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      asked.on('error', () => response.destroy());
      given.pipe(asked);
    });
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
  });
  afterAll(() => {
    front.closeAllConnections();
    front.close();
  });

  it.each(SCENARIOS)('passes: %s', { timeout: 60_000 }, async (scenario) => {
    const url = `http://localhost:${(front.address() as AddressInfo).port}/mcp`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      suite!,
      'server',
      '--url',
      url,
      '--scenario',
      scenario,
    ]);
    expect(stdout).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/);
  });
});
