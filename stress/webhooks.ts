import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openReceiver } from '../tests/support/webhook-receiver.ts';
import { noFaults } from './faults.ts';
import { endMember, type Member, startMember } from './member.ts';
import { createRandom } from './random.ts';
import { openStore } from './store.ts';

export interface WebhooksOptions {
  readonly seed: number;
  readonly events: number;
  readonly kills: number;
}

/** Streams that the events are of; each is a lane. */
const STREAMS = 10;
/** How long the receiver takes at least. */
const ANSWER_MS = 30;
const REST_MS = 600_000;

/** Answers the exit code: whether each event came at least once, in the order of its stream. */
export const runWebhooks = async ({ seed, events, kills }: WebhooksOptions): Promise<number> => {
  const began = performance.now();
  const tell = (line: string): void =>
    console.error(`${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
  const random = createRandom(seed);
  const found = noFaults();
  await using cleanup = new AsyncDisposableStack();
  const onSignal = (): void => {
    void cleanup.disposeAsync().finally(() => process.exit(130));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  const folder = await mkdtemp(join(tmpdir(), 'knowledger-webhooks-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const store = await openStore('postgres', join(folder, 'postgres'));
  cleanup.defer(store.close);
  const dataDir = join(folder, 'service');
  await mkdir(dataDir);
  const each = Math.max(1, Math.floor(events / (kills + 1)));
  let killed = 0;
  /** So many messages have come that it is time for the next kill. */
  const isDue = (): boolean => killed < kills && receiver.received.length >= (killed + 1) * each;
  const receiver = await openReceiver(async () => {
    await pause(ANSWER_MS);
    // Requests are under way when the kill comes, and no longer held than that: it is no failure of the receiver.
    while (isDue() && up().length > 1) await pause(5);
    return 204;
  });
  cleanup.defer(receiver.close);
  const env = { ...store.backing.env, KNOWLEDGER_MASTER_KEY: randomBytes(32).toString('base64') };
  const options = { backing: { ...store.backing, env }, dataDir, tell, found };
  const member = (name: string, roles: string): Member => ({ name, roles, service: null, frozen: false });
  const api = member('api', 'api,projector,scheduler');
  const members = [api, member('worker-1', 'worker'), member('worker-2', 'worker')];
  const up = (): readonly Member[] => members.filter(({ service }) => service !== null);
  await Promise.all(members.map((one) => startMember(one, options)));
  cleanup.defer(async () => {
    await Promise.all(members.map((one) => endMember(one, found)));
  });
  /** Sent again while the service asks for it, or is down: what is written twice is one event. */
  const ask = async (method: string, path: string, body: object): Promise<void> => {
    for (;;) {
      // Where the connection breaks, nobody knows whether it was done.
      const status = (await api.service?.api(method, path, body).catch(() => null))?.status ?? 503;
      if (status < 300) return;
      if (status !== 503) throw new Error(`${method} ${path} answered ${status}`);
      await pause(200);
    }
  };
  await ask('POST', '/webhooks', { url: receiver.url, types: ['AuthzPolicyCreated', 'AuthzPolicyChanged'] });
  for (let n = 0; n < STREAMS; n += 1) await ask('POST', '/authz-policies', { name: `p${n}` });
  const ids = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
  /** Later kills are to meet writes too. */
  const isAhead = (n: number): boolean =>
    killed < kills && n >= (killed + 2) * each && found.stuck.length === 0;
  const writing = (async () => {
    for (let n = STREAMS; n < events; n += 1) {
      while (isAhead(n)) await pause(10);
      await ask('PUT', `/authz-policies/p${n % STREAMS}`, { description: `${n}` });
    }
    tell(`${events} events are there`);
  })().catch((error: unknown) => void found.unexpected.push(String(error)));

  const deadline = Date.now() + REST_MS + kills * 20_000;
  while (ids().size < events || killed < kills) {
    if (Date.now() > deadline) {
      found.stuck.push(`${events - ids().size} events did not arrive`);
      break;
    }
    await pause(5);
    const running = up();
    if (!isDue() || running.length < 2) continue;
    const victim = random.pick(running);
    const { service } = victim;
    victim.service = null;
    await service?.end('SIGKILL');
    killed += 1;
    tell(`kill ${killed}, ${ids().size} arrived`);
    void startMember(victim, options);
  }
  await writing;
  while (up().length < members.length) await pause(50);

  const seen = new Map<string, number>();
  const last = new Map<string, number>();
  for (const { body } of receiver.received) {
    const { data } = JSON.parse(body) as {
      readonly data: { readonly id: string; readonly stream: string; readonly revision: number };
    };
    const before = last.get(data.stream) ?? -1;
    if (!seen.has(data.id) && data.revision !== before + 1)
      found.unexpected.push(`revision ${data.revision} of ${data.stream} came after ${before}`);
    if (!seen.has(data.id)) last.set(data.stream, data.revision);
    seen.set(data.id, (seen.get(data.id) ?? 0) + 1);
  }
  for (const { headers, body } of receiver.received)
    if (JSON.parse(body).data.id !== headers['webhook-id'])
      found.unexpected.push(`${String(headers['webhook-id'])} is not the id of its event`);
  if (seen.size !== events) found.lost.push(`${seen.size} of ${events} events arrived`);
  const faults = Object.values(found).flat();
  for (const fault of faults.slice(0, 20)) console.error(fault);
  const ok = faults.length === 0;
  const [messages, seconds] = [receiver.received.length, Math.round((performance.now() - began) / 1_000)];
  console.log(JSON.stringify({ stress: 'webhooks', events, messages, kills: killed, seconds, ok, seed }));
  return ok ? 0 : 1;
};
