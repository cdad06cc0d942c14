import { setTimeout as pause } from 'node:timers/promises';
import { CRAWL } from '../tests/support/crawls.ts';
import { type Command, type CommandName, isAcknowledged, type Sent } from './commands.ts';
import { send, type SendDeps } from './send.ts';

export interface ClientDeps extends SendDeps {
  readonly origin: string;
  /** Crawls that live at once: the load on the workers. */
  readonly maxCrawls: number;
  readonly things: Things;
}

/** What the clients have made and know of. They share it, so that they get in each other's way. */
export interface Things {
  readonly crawls: Map<string, { readonly setting: string }>;
  readonly keys: Set<string>;
  readonly sent: Sent[];
}

export const noThings = (): Things => ({ crawls: new Map(), keys: new Set(), sent: [] });

/** How often each command is chosen, among those that are possible. */
const WEIGHTS: { readonly [name in CommandName]: number } = {
  createCrawl: 12,
  sync: 8,
  cancel: 5,
  deleteCrawl: 7,
  changeSetting: 10,
  replaceMetadata: 14,
  deleteMetadata: 4,
  issueKey: 5,
  revokeKey: 4,
};
const LOTS = (Object.keys(WEIGHTS) as CommandName[]).flatMap((name) =>
  Array.from({ length: WEIGHTS[name] }, () => name),
);

/** One client: sends one command after another, with a short pause between, until `over` says so. */
export const runClient = async (deps: ClientDeps, over: () => boolean): Promise<void> => {
  while (!over()) {
    const command = await choose(deps, deps.random.pick(LOTS));
    if (command !== null) await sendAndNote(deps, command);
    await pause(deps.random.between(20, 120));
  }
};

export const sendAndNote = async (deps: ClientDeps, command: Command): Promise<Sent> => {
  const { crawls, keys, sent } = deps.things;
  const done = await send(deps, command);
  sent.push(done);
  if (!isAcknowledged(done) || done.answer === null) return done;
  const { body } = done.answer;
  if (command.name === 'createCrawl') crawls.set(body.id, { setting: body.ingestion_setting_id });
  if (command.name === 'issueKey') keys.add(body.id);
  return done;
};

/** Null: not possible now. */
const choose = async (deps: ClientDeps, name: CommandName): Promise<Command | null> => {
  const { random, maxCrawls, things } = deps;
  if (name === 'issueKey') return issueKey(deps);
  if (name === 'revokeKey') return revokeKey(deps);
  if (name === 'createCrawl') {
    return things.crawls.size >= maxCrawls ? null : newCrawl(deps);
  }
  if (things.crawls.size === 0) return null;
  const [id, { setting }] = random.pick([...things.crawls]);
  const stream = `dataSource-${id}`;
  switch (name) {
    case 'sync':
      return { name, stream, method: 'POST', path: `/crawls/${id}/sync`, body: { mode: random.pick(MODES) } };
    case 'cancel':
      return { name, stream, method: 'POST', path: `/crawls/${id}/cancel` };
    case 'deleteCrawl':
      // The others may still hold its id for a moment: what they send then is refused, or comes too late.
      things.crawls.delete(id);
      return { name, stream, method: 'DELETE', path: `/crawls/${id}` };
    case 'changeSetting':
      return changeSetting(deps, setting);
    case 'replaceMetadata':
    case 'deleteMetadata':
      return metadata(deps, name, id);
  }
};

export const newCrawl = ({ random, origin }: Pick<ClientDeps, 'random' | 'origin'>): Command => {
  const idempotencyKey = random.hex(32);
  const body = { ...CRAWL, name: `stress ${idempotencyKey}`, start_url: `${origin}/` };
  return { name: 'createCrawl', method: 'POST', path: '/crawls', body, idempotencyKey };
};

const MODES = ['incremental', 'full'] as const;

const issueKey = ({ random }: ClientDeps): Command => {
  const idempotencyKey = random.hex(32);
  const body = { name: `stress ${idempotencyKey}`, scopes: ['knowledge:read'] };
  return { name: 'issueKey', method: 'POST', path: '/api-keys', body, idempotencyKey };
};

const revokeKey = ({ random, things: { keys } }: ClientDeps): Command | null => {
  if (keys.size === 0) return null;
  const id = random.pick([...keys]);
  keys.delete(id);
  return { name: 'revokeKey', method: 'DELETE', path: `/api-keys/${id}` };
};

/** A name of its own, and a schedule that may fire within moments, is removed, or stays as it is. */
const changeSetting = ({ random }: ClientDeps, setting: string): Command => {
  const soon = new Date(Date.now() + random.between(3_000, 8_000));
  const rule = `FREQ=HOURLY;BYMINUTE=${soon.getUTCMinutes()};BYSECOND=${soon.getUTCSeconds()}`;
  const schedule = random.pick([{}, { rrule: rule }, { rrule: null }]);
  return {
    name: 'changeSetting',
    stream: `ingestionSetting-${setting}`,
    method: 'PUT',
    path: `/crawl-settings/${setting}`,
    body: { name: `stress ${random.hex(32)}`, ...schedule },
  };
};

/** About any source of the crawl that is there now. */
const metadata = async (
  { fleet, random }: ClientDeps,
  name: 'replaceMetadata' | 'deleteMetadata',
  crawl: string,
): Promise<Command | null> => {
  const service = await fleet.anyApi(random);
  const answer = await service.api('GET', `/sources?source_group_id=${crawl}&limit=100`).catch(() => null);
  if (answer?.status !== 200 || answer.body.sources.length === 0) return null;
  const { id } = random.pick(answer.body.sources as { id: string }[]);
  const [stream, path] = [`source-${id}`, `/sources/${id}/metadata`];
  if (name === 'deleteMetadata') return { name, stream, method: 'DELETE', path };
  const records = [
    { key: 'stress', val: random.hex(32), type: 'string' },
    { key: 'number', val: String(random.between(0, 9)), type: 'integer' },
  ];
  return { name, stream, method: 'PUT', path, body: { records } };
};
