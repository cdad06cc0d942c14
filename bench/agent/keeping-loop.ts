// The barest loop that keeps as much as the program: the same loop and model, and of each run six events that name five
// texts, sealed by AES-GCM under a key of the thread, and on disk before the model is asked and at the end. Two statements
// a run, each of which writes texts and events in one commit, by pg, prepared by name. Takes the addresses of model and
// database; then, for each message, does so many runs and tells the milliseconds.
//
// What it leaves out: leases, so that each run is done once and those of a killed process end; the queue, and reading what
// was asked; the check that nobody else has written to the run; an order of arrival over all streams, and views by it;
// wrapped keys that are kept, and gone with their thread; redaction; cancels; spans; a log and a vault that may be two
// databases.
import { createCipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import { createDatabase, type DatabaseAddress } from '../../adapters/postgres/connection.ts';
import type { Emit, RunEvent } from '../../application/agents/runs/run-executor.ts';
import { executorOver, runToDo } from './loop-alone.ts';

interface Given {
  readonly baseUrl: string;
  readonly address: DatabaseAddress;
}
interface Asked {
  readonly runs: number;
  readonly atOnce: number;
}
interface Kept {
  readonly type: string;
  readonly data: object;
  /** Of texts that it names, by their names. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Values one by one, as many as there are: arrays of them would go as quoted text, bytes at twice their length. */
const keepOf = (texts: number, events: number): string => {
  let parameter = 3;
  const next = (type: string): string => `$${(parameter += 1)}::${type}`;
  const list = (count: number, types: readonly string[], first: string): string =>
    Array.from({ length: count }, () => `(${[first, ...types.map(next)].join(', ')})`).join(', ');
  return `with texts as (insert into keeping.body values ${list(texts, ['text', 'bytea'], '$1')})
    insert into keeping.event select v.stream, v.revision, v.id, v.type, v.data, $3::json
    from (values ${list(events, ['bigint', 'uuid', 'text', 'json'], '$2::text')}) v (stream, revision, id, type, data)`;
};

const seal = (key: Buffer, text: string, id: string): Buffer => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(id));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
};

/** Facts in the event, the rest as a text. */
const keptOf = (event: RunEvent, nth: number): Kept => {
  const { kind, ...all } = event as RunEvent & Readonly<Record<string, unknown>>;
  const { request, message, delta, ...facts } = all as Readonly<Record<string, unknown>>;
  const body = { request, message, delta };
  const isBare = Object.values(body).every((part) => part === undefined);
  const texts = isBare ? {} : { [`e${nth}`]: JSON.stringify(body) };
  return { type: 'RunEmitted', data: { kind, ...facts }, texts };
};

process.once('message', ({ baseUrl, address }: Given) => {
  const executor = executorOver(baseUrl);
  const { pool } = createDatabase(address);
  const never = new AbortController().signal;

  const doRun = async (content: string): Promise<void> => {
    const run = runToDo(content);
    const [owner, stream] = [`agentThread-${run.threadId}`, `agentRun-${run.runId}`];
    const [key, salt] = [randomBytes(32), randomUUID()];
    const metadata = JSON.stringify({ tenant: run.tenant, actor: 'worker', correlation_id: run.runId });
    let waiting: Kept[] = [{ type: 'RunStarted', data: { context_messages: 0 }, texts: {} }];
    let revision = 0;
    let count = 0;
    const keep = async (): Promise<void> => {
      const kept = waiting;
      waiting = [];
      const texts = kept.flatMap((event) => Object.entries(event.texts));
      const ids = texts.map(([name]) => `${run.runId}/${name}`);
      const data = kept.map((event) => {
        const bodies = Object.entries(event.texts).map(([name, text]) => ({
          body_id: `${run.runId}/${name}`,
          digest: createHash('sha256').update(`${salt}\n${text}`).digest('hex'),
          bytes: Buffer.byteLength(text),
        }));
        return JSON.stringify({ ...event.data, bodies, at: Date.now() });
      });
      const values = [
        ...texts.flatMap(([, text], nth) => [ids[nth]!, seal(key, text, ids[nth]!)]),
        ...kept.flatMap(({ type }, nth) => [(revision += 1), randomUUID(), type, data[nth]!]),
      ];
      await pool.query({
        name: `keep-${texts.length}-${kept.length}`,
        text: keepOf(texts.length, kept.length),
        values: [owner, stream, metadata, ...values],
      });
    };
    const emit: Emit = async (event) => {
      waiting.push(keptOf(event, (count += 1)));
      if (event.kind === 'model_called') await keep();
    };
    const { messages, result } = await executor.execute(run, emit, never);
    const texts = { messages: JSON.stringify(messages), result: JSON.stringify(result) };
    waiting.push({ type: 'RunSucceeded', data: {}, texts });
    await keep();
  };

  process.on('message', ({ runs, atOnce }: Asked) => {
    void (async () => {
      const begun = performance.now();
      let left = runs;
      const lane = async (): Promise<void> => {
        while (left-- > 0) await doRun(`Question ${left}?`);
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
      process.send?.({ ms: performance.now() - begun });
    })();
  });
  process.send?.({});
});
process.on('disconnect', () => process.exit());
