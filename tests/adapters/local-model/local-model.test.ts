import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createLocalEmbedder } from '../../../adapters/local-model/embedder.ts';
import type { LocalModelOptions } from '../../../adapters/local-model/local-model.ts';
import { startModel } from '../../../adapters/local-model/process/model-process.ts';
import { eventually } from '../../support/eventually.ts';
import { EMBEDDING, install } from '../../support/local-model/installed.ts';
import { HAS_RUNTIME, openModels } from '../../support/local-model/models.ts';
import { onnxModel } from '../../support/local-model/onnx.ts';
import { embeddingGraph, tinyEmbeddingModel } from '../../support/local-model/tiny-model.ts';
import { processState } from '../extraction/process-state.ts';

const models = openModels();
afterAll(models.close);
const never = new AbortController().signal;
const GRAPH = 'onnx/model_quantized.onnx';

const installed = (name: string, files = tinyEmbeddingModel()) =>
  install(models.root, name, files, EMBEDDING);
const opened = (name: string, more: Partial<LocalModelOptions> = {}) =>
  models.open({ model: installed(name), ...more });
const A = { texts: ['a'], urgent: false } as const;
const isGone = (pid: number) =>
  eventually(
    async () => processState(pid),
    (state) => state === null,
    'its process',
  );

describe.skipIf(!HAS_RUNTIME)('the process of a model', () => {
  it('is there when it is needed, and ends after a while without', async () => {
    const model = opened('idle', { idleMs: 1 });
    expect(model.pid()).toBe(null);
    const first = model.compute(A, never);
    const pid = model.pid()!;
    const rows = await first;
    await isGone(pid);
    expect(model.pid()).toBe(null);
    expect(await model.compute(A, never)).toEqual(rows);
  });

  it('that is killed fails what it had, and the next call meets another', async () => {
    const model = opened('killed');
    const rows = await model.compute(A, never);
    const pid = model.pid()!;
    process.kill(pid, 'SIGSTOP'); // so that it does not answer before
    const failing = model.compute(A, never);
    process.kill(pid, 'SIGKILL');
    await expect(failing).rejects.toThrow(/its process has ended \(SIGKILL\)/);
    expect(await model.compute(A, never)).toEqual(rows);
    expect(model.pid()).not.toBe(pid);
  });

  it('that is killed once does not fail an embedder', async () => {
    const model = opened('killed-once');
    const embedder = createLocalEmbedder(model, EMBEDDING, 'local:x');
    const [vector] = await embedder.embed(['a'], 'document', never);
    process.kill(model.pid()!, 'SIGSTOP');
    const again = embedder.embed(['a'], 'document', never);
    process.kill(model.pid()!, 'SIGKILL');
    expect(await again).toEqual([vector]);
  });

  it('that always ends fails an embedder in the end', async () => {
    const start: typeof startModel = (settings, events) =>
      startModel(settings, events, ['--import=data:text/javascript,process.exit(3)']);
    const embedder = createLocalEmbedder(opened('dying', { start }), EMBEDDING, 'local:x');
    const failing = embedder.embed(['a'], 'document', never);
    await expect(failing).rejects.toThrow('the model dying cannot be used: its process has ended (3)');
    await expect(failing).rejects.toMatchObject({ name: 'EmbedderUnavailable' });
  });

  it('is left alone by whoever does not wait any more, and goes on for the others', async () => {
    const model = opened('left');
    await model.compute(A, never);
    const pid = model.pid()!;
    process.kill(pid, 'SIGSTOP');
    const leaving = new AbortController();
    const left = model.compute(A, leaving.signal);
    const stays = model.compute({ texts: ['b', 'c'], urgent: false }, never);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    process.kill(pid, 'SIGCONT');
    expect(await stays).toHaveLength(2);
    expect(model.pid()).toBe(pid);
  });

  it('ends with the service, and takes nothing more then', async () => {
    const model = opened('closed');
    await model.compute(A, never);
    const pid = model.pid()!;
    await model.close();
    expect(processState(pid)).toBe(null);
    await expect(model.compute(A, never)).rejects.toThrow('the service stops');
  });

  it('has no network', async () => {
    let reached = 0;
    const server = createServer((_, response) => response.end())
      .on('connection', () => (reached += 1))
      .listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    // Whatever runs in it would ask before each message that it sends; where it could not, the message is what it heard.
    const asking = `const send = process.send.bind(process);
      process.send = (message, ...rest) => void fetch(${JSON.stringify(url)})
        .then(() => 'reached', (error) => String(error.cause?.message ?? error))
        .then((heard) => send(message.type === 'ready' ? message : { type: 'refused', id: message.id, message: heard }, ...rest));`;
    const start: typeof startModel = (settings, events) =>
      startModel(settings, events, [`--import=data:text/javascript,${encodeURIComponent(asking)}`]);
    try {
      const model = opened('offline', { start });
      await expect(model.compute(A, never)).rejects.toThrow(/has no network|ERR_ACCESS_DENIED|denied/i);
      expect(reached).toBe(0);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe.skipIf(!HAS_RUNTIME)('files of a model', () => {
  it('that are not as they were fetched are not used, and it is said how they are had', async () => {
    const model = installed('changed');
    const path = join(model.folder, GRAPH);
    const bytes = readFileSync(path);
    bytes[bytes.length - 60]! ^= 1;
    writeFileSync(path, bytes);
    const failing = createLocalEmbedder(models.open({ model }), EMBEDDING, 'x').embed(
      ['a'],
      'document',
      never,
    );
    await expect(failing).rejects.toThrow(
      `${GRAPH} of the model changed is not as it was fetched: npm run model -- fetch changed`,
    );
    await expect(failing).rejects.toMatchObject({ name: 'EmbedderUnavailable' });
    appendFileSync(path, 'x');
  });

  it.each([
    ['no graph', 'something else', /cannot be used/],
    [
      'a graph without vectors',
      onnxModel({ nodes: [], constants: [], inputs: [], outputs: [] }),
      /cannot be used/,
    ],
  ])('that hold %s are refused', async (name, graph, why) => {
    const files = tinyEmbeddingModel({ [GRAPH]: graph });
    const model = models.open({ model: installed(name.replaceAll(' ', '-'), files) });
    await expect(model.compute(A, never)).rejects.toThrow(why);
    await expect(model.compute(A, never)).rejects.toMatchObject({ name: 'ModelUnusable', broke: false });
  });

  it('whose tokens the graph does not know refuse the texts with them, and not the others', async () => {
    const tokenizer = (tinyEmbeddingModel().get('tokenizer.json') as string).replace(
      '"honey":',
      '"hive":9999,"honey":',
    );
    const files = tinyEmbeddingModel({ 'tokenizer.json': tokenizer, [GRAPH]: embeddingGraph() });
    const embedder = createLocalEmbedder(models.open({ model: installed('beyond', files) }), EMBEDDING, 'x');
    await expect(embedder.embed(['hive'], 'document', never)).rejects.toMatchObject({
      name: 'EmbeddingRefused',
    });
    expect(await embedder.embed(['honey'], 'document', never)).toHaveLength(1);
  });
});
