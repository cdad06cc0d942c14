import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeptCheckpoints } from '../../../adapters/postgres/log-tree/checkpoints.ts';
import { createLogTree } from '../../../adapters/postgres/log-tree/log-tree.ts';
import { logTreeProjection } from '../../../adapters/postgres/log-tree/projection.ts';
import { createWitness } from '../../../adapters/providers/witness.ts';
import { ed25519Signer, sha256Bytes, verifyEd25519 } from '../../../adapters/system/proof.ts';
import { createCheckpointMaker } from '../../../application/audit/checkpoints.ts';
import { witnessCheckpoints } from '../../../application/audit/witness-checkpoints.ts';
import type { NewEvent } from '../../../application/ports/event-store.ts';
import { parseCheckpoint } from '../../../domain/proof/checkpoint.ts';
import { formatVerifierKey, parseNote, type VerifierKey } from '../../../domain/proof/note.ts';
import { eventOf, provesConsistency } from '../../support/log-proof.ts';
import { openWorld, silent, type World } from '../../support/world.ts';

const signer = ed25519Signer(Buffer.alloc(32, 8));
const key: VerifierKey = { name: 'witness.example/w', algorithm: 'cosignature', publicKey: signer.publicKey };
const ID = Buffer.from(formatVerifierKey(sha256Bytes, key).split('+')[1]!, 'hex');

/** A witness as C2SP tlog-witness describes it, for one log. */
const openWitness = async () => {
  let known = { size: 0, root_hash: '' };
  const asked: string[] = [];
  let spoil = (line: string): string => line;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const answer = (status: number, said: string): void => void response.writeHead(status).end(said);
    const [head, ...lines] = body.slice(0, body.indexOf('\n\n')).split('\n');
    const note = parseNote(body.slice(body.indexOf('\n\n') + 2))!;
    const { size, root } = parseCheckpoint(note.text)!;
    asked.push(`${request.url} ${head} to ${size}`);
    if (head !== `old ${known.size}`) return answer(409, `${known.size}\n`);
    const next = { size, root_hash: Buffer.from(root).toString('base64') };
    if (known.size > 0 && !provesConsistency(known, next, lines)) return answer(422, '');
    known = next;
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(1_800_000_000n);
    const message = `cosignature/v1\ntime 1800000000\n${note.text}`;
    const signature = Buffer.concat([ID, time, signer.sign(Buffer.from(message))]);
    answer(200, `${spoil(`— ${key.name} ${signature.toString('base64')}`)}\n`);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/w`,
    spoil: (with_: typeof spoil) => (spoil = with_),
    forget: () => (known = { size: 0, root_hash: '' }),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};

let world: World;
let witness: Awaited<ReturnType<typeof openWitness>>;
let agent: Agent;
beforeEach(async () => {
  [world, witness] = await Promise.all([openWorld([logTreeProjection]), openWitness()]);
  agent = new Agent();
  world.project(logTreeProjection);
});
afterEach(async () => {
  await agent.close();
  await Promise.all([world.close(), witness.close()]);
});

describe('the newest checkpoint of a log', () => {
  const open = () => {
    const [tree, kept] = [createLogTree(world.db), createKeptCheckpoints(world.db)];
    const proving = { tree, kept, sha256: sha256Bytes, verify: verifyEd25519 };
    const make = createCheckpointMaker({
      ...proving,
      signer: async () => ed25519Signer(Buffer.alloc(32, 7)),
      originOf: async (tenant) => `log.example/${tenant}`,
      clock: { now: () => 1_000 },
    });
    const told: string[] = [];
    const log = { ...silent, warn: (_: string, fields?: object) => told.push(JSON.stringify(fields)) };
    const witnesses = [createWitness(agent, key, witness.url)];
    return {
      kept,
      told,
      witnessed: () => witnessCheckpoints({ ...proving, witnesses, log }, new AbortController().signal),
      grow: async (events: number) => {
        const given = Array.from({ length: events }, () => eventOf('acme'));
        const stream = `tag-${crypto.randomUUID()}`;
        const { position } = await world.store.append(stream, 'none', given as [NewEvent, ...NewEvent[]]);
        expect(await world.gate.reached(['log_tree'], position, 20_000)).toBe(true);
        await make('acme');
      },
    };
  };

  it('is signed by the witness once, with the proof that it continues the last one', async () => {
    const { kept, told, witnessed, grow } = open();
    await grow(5);
    await witnessed();
    await grow(300);
    await grow(3);
    await witnessed();
    await witnessed();
    expect([witness.asked, told]).toEqual([
      ['/w/add-checkpoint old 0 to 5', '/w/add-checkpoint old 5 to 308'],
      [],
    ]);
    const signatures = (await kept.list('acme', 0, 10)).map(({ cosignatures }) => cosignatures.length);
    expect(signatures).toEqual([1, 0, 1]);
  });

  it('is sent again from the size that the witness has, if that is another one', async () => {
    const { kept, told, witnessed, grow } = open();
    await grow(5);
    await witnessed();
    await grow(5);
    witness.forget();
    await witnessed();
    expect(witness.asked.slice(1)).toEqual([
      '/w/add-checkpoint old 5 to 10',
      '/w/add-checkpoint old 0 to 10',
    ]);
    expect([await kept.witnessed('acme', key.name), told]).toEqual([10, []]);
  });

  it('keeps no signature that is not valid, and is sent again', async () => {
    const { kept, told, witnessed, grow } = open();
    await grow(5);
    witness.spoil((line) => line.replace(/.(?=.{6}$)/, (one) => (one === 'A' ? 'B' : 'A')));
    await witnessed();
    expect([await kept.witnessed('acme', key.name), told.join()]).toEqual([
      0,
      expect.stringContaining('its signature is not valid'),
    ]);
    witness.spoil((line) => line);
    await witnessed();
    expect(await kept.witnessed('acme', key.name)).toBe(5);
  });
});
