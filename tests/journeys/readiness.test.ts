import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backing, openBacking, STORE } from '../support/backing.ts';
import { eventually } from '../support/eventually.ts';
import { readiness, unusedAddress } from '../support/health.ts';
import { withKey } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';

const OTHER_KEY = 'kn_another_bootstrap_key_0123456789abcdef';

let backing: Backing;
let dataDir: string;
const services: Service[] = [];
const start = async (roles: string, env: { readonly [name: string]: string } = {}): Promise<Service> => {
  const service = await startService({ KNOWLEDGER_ROLES: roles, ...env }, { dataDir, backing });
  services.push(service);
  return service;
};

beforeAll(async () => {
  // Roles in several processes need a server, whatever the rest of the run is on.
  [backing, dataDir] = await Promise.all([
    openBacking(STORE === 'embedded' ? 'postgres' : STORE),
    mkdtemp(join(tmpdir(), 'knowledger-readiness-')),
  ]);
}, 120_000);
afterAll(async () => {
  await Promise.all(services.map((service) => service.end('SIGTERM')));
  await Promise.all([backing.close(), rm(dataDir, { recursive: true, force: true })]);
});

/** What is told at this address, once somebody listens there. */
const firstTold = (base: string) =>
  eventually(
    () => readiness({ base }).catch(() => null),
    (told) => told !== null,
  );

describe('a service of several processes', { timeout: 240_000 }, () => {
  it('is ready when its first key works, and not before', async () => {
    const projector = await start('projector');
    await start('api');
    expect(await projector.end('SIGTERM')).toEqual([0, null]);
    const { origin: base, port } = await unusedAddress();
    const starting = start('api', { PORT: port, KNOWLEDGER_BOOTSTRAP_KEY: OTHER_KEY });
    const ask = () => fetch(`${base}/api/v1/crawls`, { headers: { 'x-api-key': OTHER_KEY } });
    expect(await firstTold(base)).toMatchObject({ status: 503 });
    await eventually(
      () => readiness({ base }),
      ({ reasons }) => 'first key' in reasons,
    );
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    expect((await ask()).status).toBe(401);
    await start('projector');
    const told: Awaited<ReturnType<typeof readiness>>[] = [];
    await eventually(
      async () => {
        told.push(await readiness({ base }));
        return told.at(-1)!.status;
      },
      (status) => status === 200,
    );
    for (const before of told.slice(0, -1)) {
      expect(before).toEqual({ status: 503, reasons: { 'first key': expect.stringContaining('projector') } });
    }
    expect((await ask()).status).toBe(200);
    await starting;
  });

  it('knows a key everywhere when the command prints it, whether somebody projects or not', async () => {
    const [one, other] = [await start('api'), await start('api')];
    const printed = async (...args: readonly string[]): Promise<string> => {
      const { code, output } = await one.command('tenant', ...args);
      expect([code, output]).toEqual([0, expect.not.stringContaining('does not work yet')]);
      return /kn_\S+/.exec(output)?.[0] ?? '';
    };
    const works = async (key: string) => {
      for (const process of [one, other]) {
        expect((await withKey(process, key).api('GET', '/crawls')).status).toBe(200);
      }
    };
    await works(await printed('Projected elsewhere'));
    const others = services.filter((service) => service !== one && service !== other);
    await Promise.all(others.map((service) => service.end('SIGTERM')));
    await works(await printed('Nobody projects'));
    await works(await printed('key', 'Nobody projects'));
  });
});
