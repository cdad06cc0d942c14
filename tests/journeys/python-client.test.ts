import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { openJourney, type Tenant } from '../support/journey.ts';

const run = promisify(execFile);
const CLIENT = fileURLToPath(new URL('../../clients/python/', import.meta.url));
const PYTHON = `${CLIENT}.venv/bin/python`;

/** Whether Python and the packages that the client needs are there; tests with it are skipped without them. */
const HAS_PYTHON = await run(PYTHON, [
  '-c',
  'import knowledger, cryptography, pytest, standardwebhooks',
]).then(
  () => true,
  () => false,
);
if (!HAS_PYTHON) console.warn('skipped: the client for Python, since clients/python/.venv is not there');

describe.skipIf(!HAS_PYTHON)('the client for Python', { timeout: 180_000 }, () => {
  const journey = openJourney();
  let service: Tenant;
  beforeAll(async () => {
    service = await journey.tenant();
  }, 120_000);

  it('passes its tests, those with a service too', async () => {
    const env = { ...process.env, KNOWLEDGER_URL: service.base, KNOWLEDGER_API_KEY: service.key };
    const tests = run(PYTHON, ['-m', 'pytest', '-rs', '-p', 'no:cacheprovider'], { cwd: CLIENT, env });
    const { stdout } = await tests.catch((error: { stdout: string; stderr: string }) => error);
    expect(stdout).toMatch(/^\d+ passed/m);
    expect(stdout).not.toMatch(/failed|error|test_journey/);
  });
});
