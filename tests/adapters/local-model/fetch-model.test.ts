import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  fetchModel,
  type FetchRequest,
  type Progress,
} from '../../../adapters/local-model/weights/fetch-model.ts';
import { createFolderSource } from '../../../adapters/local-model/weights/source.ts';
import { createHubSource } from '../../../adapters/local-model/weights/hub-source.ts';
import { listModels, installedModel, labelOf } from '../../../adapters/local-model/weights/manifest.ts';
import { COMMIT, type Hub, openHub } from '../../support/local-model/hub.ts';
import { EMBEDDING, writeFiles } from '../../support/local-model/installed.ts';
import { tinyEmbeddingModel, tinyReranker } from '../../support/local-model/tiny-model.ts';

const NAME = 'tiny/embedding';
const GRAPH = 'onnx/model_quantized.onnx';
const FILES = tinyEmbeddingModel({ 'README.md': 'a card', 'model.safetensors': 'weights of others' });
const models = new Map([
  [NAME, FILES],
  ['tiny/reranker', tinyReranker()],
  ['tiny/torch', new Map([['config.json', '{}']])],
]);
const never = new AbortController().signal;
const dispatcher = new Agent();
afterAll(() => dispatcher.destroy());

let hub: Hub;
let root: string;
let shown: Progress[];
beforeEach(async () => {
  hub = await openHub(models);
  root = mkdtempSync(join(tmpdir(), 'knowledger-models-'));
  shown = [];
});
afterEach(async () => {
  await hub.close();
  rmSync(root, { recursive: true });
});

const deps = (source: Parameters<typeof fetchModel>[0]['source']) => ({
  source,
  root,
  sleep: async () => {},
  onProgress: (progress: Progress) => void shown.push(progress),
});
const request = (more: Partial<FetchRequest> = {}): FetchRequest => ({
  name: NAME,
  weights: undefined,
  said: {},
  again: false,
  ...more,
});
const fromHub = (more: Partial<FetchRequest> = {}, signal = never) => {
  const { name } = request(more);
  return fetchModel(
    deps(createHubSource({ dispatcher, url: hub.url, name, revision: 'main' })),
    request(more),
    signal,
  );
};
const fromFolder = (folder: string, more: Partial<FetchRequest> = {}) =>
  fetchModel(deps(createFolderSource(folder)), request(more), never);
const downloads = () => hub.asked.filter((path) => !path.startsWith('/api/'));

describe('a model of a hub', () => {
  it('is brought with what it needs alone, checked, described, and brought once', async () => {
    const { model, fetched } = await fromHub();
    expect([fetched, model.revision, model.recipe]).toEqual([true, COMMIT, EMBEDDING]);
    expect(readdirSync(root)).toEqual(['tiny--embedding']);
    const paths = model.files.map(({ path }) => path);
    expect(paths.toSorted()).toEqual([...tinyEmbeddingModel().keys()].toSorted());
    for (const path of paths)
      expect(readFileSync(join(model.folder, path))).toEqual(Buffer.from(FILES.get(path)!));
    expect(shown.at(-1)).toEqual({
      path: GRAPH,
      bytes: FILES.get(GRAPH)!.length,
      of: FILES.get(GRAPH)!.length,
    });
    expect(installedModel(root, NAME)).toEqual(model);
    expect(listModels(root)).toEqual([model]);

    const before = hub.asked.length;
    expect(await fromHub()).toEqual({ model, fetched: false });
    expect(hub.asked).toHaveLength(before);
  });

  it('goes on where it broke off, also in another call, and asks for nothing twice', async () => {
    hub.breaks.set(GRAPH, [100, 200, 300, 400]);
    await expect(fromHub()).rejects.toThrow(/broke off/);
    expect(() => installedModel(root, NAME)).toThrow(`npm run model -- fetch ${NAME}`);
    // Of what was sent last, some may be lost with the connection.
    writeFileSync(
      join(root, '.fetching--tiny--embedding', `${GRAPH}.part`),
      FILES.get(GRAPH)!.slice(0, 1_000),
    );
    const before = downloads().length;
    const { model } = await fromHub();
    expect(readFileSync(join(model.folder, GRAPH))).toEqual(Buffer.from(FILES.get(GRAPH)!));
    expect(downloads().slice(before)).toEqual([
      `/${NAME}/resolve/${COMMIT}/${GRAPH} bytes=1000-`,
      `/elsewhere/${NAME}/-/${GRAPH} bytes=1000-`,
    ]);
  });

  it('says what to do where there is no network', async () => {
    await hub.close();
    await expect(fromHub()).rejects.toThrow(/cannot be reached: ECONNREFUSED.*--from/);
    hub = await openHub(models);
  });

  it.each([GRAPH, 'tokenizer.json'])('is refused where %s is not what the hub says', async (path) => {
    hub.spoilt.add(path);
    await expect(fromHub()).rejects.toThrow(`${path} is not what the source says it is: its hash differs`);
    expect(existsSync(join(root, 'tiny--embedding'))).toBe(false);
    hub.spoilt.clear();
    expect((await fromHub()).fetched).toBe(true);
  });

  it('is put together from two tries only where both were of the same file', async () => {
    hub.spoilt.add(GRAPH);
    hub.breaks.set(GRAPH, [50, 50, 50, 50]);
    await expect(fromHub()).rejects.toThrow(/broke off/);
    hub.spoilt.clear();
    const { model } = await fromHub();
    expect(readFileSync(join(model.folder, GRAPH))).toEqual(Buffer.from(FILES.get(GRAPH)!));
  });

  it('is brought anew where a file of it has changed since, or where that is asked for', async () => {
    const { model } = await fromHub();
    const path = join(model.folder, 'tokenizer.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"honey"', '"money"'));
    expect((await fromHub()).fetched).toBe(true);
    expect(readFileSync(path, 'utf8')).toContain('"honey"');
    expect((await fromHub({ again: true })).fetched).toBe(true);
    expect(readdirSync(root)).toEqual(['tiny--embedding']);
  });

  it('that is not there, has no graph, or not the one that is named, says what to do', async () => {
    await expect(fromHub({ name: 'tiny/none' })).rejects.toThrow(
      /has no tiny\/none at main that anybody may have \(401\)/,
    );
    await expect(fromHub({ name: 'tiny/torch' })).rejects.toThrow(/no weights in ONNX/);
    await expect(fromHub({ weights: 'onnx/other.onnx' })).rejects.toThrow(`one of ${GRAPH}`);
  });

  it('is left when the signal aborts', async () => {
    const leaving = new AbortController();
    const left = fetchModel(
      {
        ...deps(createHubSource({ dispatcher, url: hub.url, name: NAME, revision: 'main' })),
        onProgress: () => leaving.abort(new Error('left')),
      },
      request(),
      leaving.signal,
    );
    await expect(left).rejects.toThrow('left');
    expect(listModels(root)).toEqual([]);
  });

  it('may be a cross-encoder', async () => {
    const { model } = await fromHub({ name: 'tiny/reranker' });
    expect(model.recipe).toEqual({ task: 'reranking', labels: 1, tokens: 64, pad: 0 });
  });
});

describe('a model of a folder', () => {
  it('is copied, and has other vectors where files or recipe are others', async () => {
    const folder = join(root, 'given');
    writeFiles(folder, FILES);
    const { model } = await fromFolder(folder);
    const { model: hubs } = await fromHub({ again: true });
    expect(labelOf(model)).toBe(labelOf(hubs));
    expect(labelOf(model)).toMatch(/^local:tiny\/embedding@[0-9a-f]{12}$/);
    const said = { queryPrefix: 'query: ' };
    expect(labelOf((await fromFolder(folder, { again: true, said })).model)).not.toBe(labelOf(hubs));
    writeFileSync(join(folder, 'tokenizer_config.json'), '{}');
    expect(labelOf((await fromFolder(folder, { again: true })).model)).not.toBe(labelOf(hubs));
  });

  it('that another machine has fetched is checked by its manifest', async () => {
    const folder = join(root, 'given');
    writeFiles(folder, FILES);
    const { model } = await fromFolder(folder);
    const carried = fetchModel(
      { ...deps(createFolderSource(model.folder)), root: join(root, 'b') },
      request(),
      never,
    );
    expect(labelOf((await carried).model)).toBe(labelOf(model));
    writeFileSync(join(model.folder, 'config.json'), '{}');
    const broken = fetchModel(
      { ...deps(createFolderSource(model.folder)), root: join(root, 'c') },
      request(),
      never,
    );
    await expect(broken).rejects.toThrow('config.json is not what the source says it is');
  });
});
