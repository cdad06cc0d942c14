import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createVault } from '../../adapters/postgres/vault/vault.ts';
import { createConversationView } from '../../adapters/postgres/views/conversation-view.ts';
import { aesGcm, parseMasterKey, readMasterKeyFile } from '../../adapters/system/cipher.ts';
import { createIdSource } from '../../adapters/system/identity.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../application/event-sourcing/execute.ts';
import { FIRST_TENANT } from '../../composition/bootstrap.ts';
import { openEventLog } from '../../composition/event-log.ts';
import { STORE } from '../support/backing.ts';
import { asking, callerOf, conversationsOf } from '../support/conversations.ts';
import { inDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { EVENTS, placesWith } from '../support/places.ts';
import { openJourney } from '../support/journey.ts';
import { type Service, startService } from '../support/service.ts';

/** A word of what is deleted, and of nothing else. */
const WORD = 'zyxquon';
const GIVEN = randomBytes(32).toString('base64');
const KEY_FILE = 'master.key';
/** On the embedded default the service makes its own. */
const env: { readonly [name: string]: string } = STORE === 'embedded' ? {} : { KNOWLEDGER_MASTER_KEY: GIVEN };

const journey = openJourney();
let service: Service;
let kept: string;
let deleted: string;
let ofJo: string;
beforeAll(async () => {
  service = await journey.service(env);
  const caller = callerOf(FIRST_TENANT);
  await withConversations(async ({ ask, turns }) => {
    kept = (await ask(caller, 'Which falcons?', 'Peregrines.')).conversationId;
    const { conversationId } = await ask(caller, `Is there ${WORD}?`, `There is ${WORD} [1].`);
    deleted = conversationId;
    await turns.open(caller, asking(`More ${WORD}`, { conversationId }));
    ofJo = (await ask(caller, 'Mine?', 'Yours.', { principalId: 'jo' })).conversationId;
  });
}, 120_000);

type Conversations = ReturnType<typeof conversationsOf>;
/** Conversations in the database of the service, as a completion in it would hold them. */
const withConversations = (hold: (conversations: Conversations) => Promise<void>): Promise<void> =>
  inDatabase(service, async (database) => {
    const file = await readMasterKeyFile(join(service.dataDir, KEY_FILE));
    const masterKey = file ?? parseMasterKey(GIVEN);
    const log = await openEventLog({ eventStoreUrl: service.backing.env['EVENTSTORE_URL'] }, database);
    const [codec, ids, { db }] = [createEventCodec(), createIdSource(), database];
    const { store } = log;
    const execute = createExecute({ store, codec, ids });
    const vault = createVault({ db, cipher: aesGcm, masterKey });
    const view = createConversationView(db);
    try {
      await hold(conversationsOf({ store, codec, ids, execute, vault, view }));
    } finally {
      await log.close();
    }
  });

const listed = async (query = ''): Promise<readonly string[]> => {
  const { body } = await service.api('GET', `/conversations${query}`);
  expect(body.pagination.total).toBe(body.conversations.length);
  return body.conversations.map(({ id }: { id: string }) => id);
};
const allListed = () =>
  eventually(
    () => listed(),
    (ids) => ids.length === 2,
  );

/** Every file of the data directory with the text in it, those of the embedded Postgres and its log included. */
const filesWith = async (text: string): Promise<readonly string[]> => {
  const entries = await readdir(service.dataDir, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found: string[] = [];
  for (const path of paths) {
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (bytes.includes(text)) found.push(path);
  }
  return found;
};

describe('a conversation', { timeout: 240_000 }, () => {
  it('is listed and read by its principal alone', async () => {
    expect((await allListed()).toSorted()).toEqual([kept, deleted].toSorted());
    const jos = () => listed('?principal_id=jo');
    expect(await eventually(jos, (ids) => ids.length === 1)).toEqual([ofJo]);
    expect(await listed('?principal_id=al')).toEqual([]);
    expect((await service.api('GET', `/conversations/${ofJo}`)).status).toBe(404);
    expect((await service.api('GET', `/conversations/${kept}?principal_id=jo`)).status).toBe(404);
    const { body } = await service.api('GET', `/conversations/${ofJo}?principal_id=jo`);
    expect(body).toMatchObject({ id: ofJo, principal_id: 'jo', message_count: 2 });
    expect(body.messages.map(({ content }: { content: string }) => content)).toEqual(['Mine?', 'Yours.']);
    expect((await service.api('DELETE', `/conversations/${ofJo}`)).status).toBe(404);
    expect((await service.api('GET', '/conversations?principal_id=')).status).toBe(400);
  });

  it('lies nowhere in clear: in no table, no event, no file, and not in the log of the database', async () => {
    expect(await placesWith(service, [deleted])).toContain('vault.body');
    expect(await placesWith(service, [WORD])).toEqual([]);
    expect(await filesWith(WORD)).toEqual([]);
    const { body } = await service.api('GET', '/events?category=conversation&limit=100');
    expect(JSON.stringify(body)).toContain('UserMessageAdded');
    expect(JSON.stringify(body)).not.toContain(WORD);
  });

  it('is read again after a restart', async () => {
    await service.end('SIGTERM');
    service = await service.again();
    const { body } = await service.api('GET', `/conversations/${kept}`);
    expect(body.messages[1].content).toBe('Peregrines.');
  });

  it('that is deleted leaves nothing but its events', async () => {
    const done = await service.api('DELETE', `/conversations/${deleted}`);
    expect([done.status, done.body.message]).toEqual([200, `conversation ${deleted} was deleted`]);
    const seen = { 'x-min-position': done.headers.get('x-position') ?? '' };
    const { body } = await service.api('GET', '/conversations', undefined, seen);
    expect(body.conversations.map(({ id }: { id: string }) => id)).toEqual([kept]);
    expect((await service.api('GET', `/conversations?after=${deleted}`)).status).toBe(200);
    expect((await service.api('GET', `/conversations/${deleted}`)).status).toBe(404);
    expect((await service.api('DELETE', `/conversations/${deleted}`)).status).toBe(404);
    // The mark that hides it in lists goes when their view has moved.
    await expect.poll(() => placesWith(service, [deleted]), { timeout: 30_000 }).toEqual([EVENTS]);
    expect(await filesWith(WORD)).toEqual([]);
    expect((await service.api('GET', `/conversations/${kept}`)).body.messages[1].content).toBe('Peregrines.');
  });
});

describe('the master key', { timeout: 240_000 }, () => {
  const started = (more: { readonly [name: string]: string }) => startService({ ...env, ...more }, service);
  const refusal = (more: { readonly [name: string]: string }): Promise<string> =>
    started(more).then(
      async (wrong) => {
        await wrong.end('SIGTERM');
        return 'it started';
      },
      (error: Error) => error.message,
    );
  beforeAll(async () => {
    await service.end('SIGTERM');
  });

  it('that is another one is noticed at the start, before anything is encrypted under it', async () => {
    const other = randomBytes(32).toString('base64');
    const told = await refusal({ KNOWLEDGER_MASTER_KEY: other });
    expect(told).toContain('KNOWLEDGER_MASTER_KEY is not the one that this database was first used with');
    expect(told).not.toContain(other);
    expect(await refusal({ KNOWLEDGER_MASTER_KEY: 'short' })).toContain('takes 32 bytes in base64');
  });

  it('that is missing is not made anew where something was encrypted', async () => {
    const path = join(service.dataDir, KEY_FILE);
    if (STORE === 'embedded') await rename(path, `${path}.away`);
    const told = await refusal({ KNOWLEDGER_MASTER_KEY: '' });
    expect(told).toContain('the master key of this database is missing: set KNOWLEDGER_MASTER_KEY');
    expect(await readdir(service.dataDir)).not.toContain(KEY_FILE);
    if (STORE === 'embedded') await rename(`${path}.away`, path);
  });

  it.runIf(STORE === 'embedded')('is made in a file of its own user, and never told', async () => {
    const path = join(service.dataDir, KEY_FILE);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const key = (await readFile(path, 'utf8')).trim();
    expect(service.output()).not.toContain(key);
    // The same key from the environment, and the file is not needed.
    await rename(path, `${path}.away`);
    service = await started({ KNOWLEDGER_MASTER_KEY: key });
    const { body } = await service.api('GET', `/conversations/${kept}`);
    expect(body.messages[1].content).toBe('Peregrines.');
  });
});
