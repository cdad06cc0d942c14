import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, afterAll, beforeAll } from 'vitest';
import { MANIFEST } from '../../adapters/local-model/weights/manifest.ts';
import { eventually } from '../support/eventually.ts';
import { openJourney } from '../support/journey.ts';
import { openHub } from '../support/local-model/hub.ts';
import { writeFiles } from '../support/local-model/installed.ts';
import { HAS_RUNTIME } from '../support/local-model/models.ts';
import { tinyEmbeddingModel, tinyReranker } from '../support/local-model/tiny-model.ts';
import { type Service, startService } from '../support/service.ts';
import { uploaded } from '../support/uploads.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

describe('models of this machine', () => {
  const journey = openJourney();
  const MODELS = {
    EMBEDDINGS_MODEL: 'local:tiny/embedding',
    RERANK_MODEL: 'local:tiny/reranker',
    KNOWLEDGER_LOG_LEVEL: 'warn',
  };
  const search = async (service: Service, asked: object) => {
    const { status, body } = await service.api('POST', '/search', asked);
    expect(status).toBe(200);
    return body;
  };
  const titles = ({
    results,
  }: {
    readonly results: readonly { readonly content: { readonly title: string } }[];
  }) => results.map(({ content }) => content.title);

  describe.skipIf(!HAS_RUNTIME)(
    'a service with models of this machine',
    () => {
      it('fetches them once, searches and reranks by them, and asks nobody afterwards', async () => {
        const hub = await openHub(
          new Map([
            ['tiny/embedding', tinyEmbeddingModel()],
            ['tiny/reranker', tinyReranker()],
          ]),
        );
        const plain = await journey.service();
        const optional = async (service: Service) =>
          ((await (await fetch(`${service.base}/readyz`)).json()) as { readonly optional: object }).optional;
        expect(await optional(plain)).toMatchObject({
          embeddings: 'not configured',
          reranker: 'not configured',
        });
        const fetched = await plain.command('model', 'fetch', 'tiny/embedding', '--from', hub.url);
        expect(fetched).toMatchObject({ code: 0 });
        expect(fetched.output).toContain('use it: EMBEDDINGS_MODEL=local:tiny/embedding');
        const folder = mkdtempSync(join(tmpdir(), 'knowledger-model-'));
        writeFiles(folder, tinyReranker());
        expect(await plain.command('model', 'fetch', 'tiny/reranker', '--from', folder)).toMatchObject({
          code: 0,
        });
        rmSync(folder, { recursive: true });
        const listed = await plain.command('model', 'list');
        expect(listed.output).toMatch(
          /^tiny\/embedding {2}embedding, onnx\/model_quantized\.onnx, .*, 32 tokens, revision c0ffee/m,
        );
        expect(listed.output).toMatch(/^tiny\/reranker {2}reranking, onnx\/model\.onnx/m);
        await hub.close();
        await plain.end('SIGTERM');

        const service = await startService(MODELS, plain);
        expect(await optional(service)).toMatchObject({ embeddings: 'ready', reranker: 'ready' });
        await uploaded(service, [
          ['a.md', '# Honey\n\nhoney bee honey honey'],
          ['b.md', '# Turbine\n\nturbine valve'],
        ]);
        const found = await eventually(
          () => search(service, { query: 'turbine valve', mode: 'vector' }),
          ({ mode, results }) => mode === 'vector' && results.length === 2,
        );
        expect(titles(found)).toEqual(['Turbine', 'Honey']);
        const judged = await search(service, { query: 'honey', rerank: true });
        expect([judged.reranked, titles(judged)]).toEqual([true, ['Turbine', 'Honey']]);
        expect(titles(await search(service, { query: 'honey' }))[0]).toBe('Honey');

        // Other bytes under the same name are not used, and search goes on by words.
        await service.end('SIGTERM');
        const path = join(plain.dataDir, 'models', 'tiny--reranker', 'onnx', 'model.onnx');
        expect(existsSync(join(plain.dataDir, 'models', 'tiny--reranker', MANIFEST))).toBe(true);
        const { length } = tinyReranker().get('onnx/model.onnx')!;
        writeFileSync(path, Buffer.alloc(length));
        const again = await startService(MODELS, plain);
        expect((await search(again, { query: 'honey', rerank: true })).reranked).toBe(false);
        expect(again.output()).toMatch(/not as it was fetched: npm run model -- fetch tiny\/reranker/);
        // A search does not wait for a model that is still being loaded.
        await eventually(
          () => search(again, { query: 'turbine valve', mode: 'vector' }),
          ({ mode }) => mode === 'vector',
        );
      });

      it.each([
        [{ EMBEDDINGS_MODEL: 'local:tiny/none' }, 'npm run model -- fetch tiny/none'],
        [{ RERANK_MODEL: 'local:tiny/none' }, 'npm run model -- fetch tiny/none'],
      ])('does not start with %j where it is not there, and says what to do', async (env, what) => {
        await expect(startService(env)).rejects.toThrow(what);
      });
    },
    300_000,
  );
});

describe('the started program without the packages of providers', { timeout: 60_000 }, () => {
  const COMPOSITION = new URL('../../composition/', import.meta.url);
  /** Makes a process find no package of the AI SDK, as where none was installed. */
  const WITHOUT_PACKAGES = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve(name, context, next) {
        if (!/^(@ai-sdk\\/|ai$|@aws-sdk\\/client-bedrock-agentcore$|onnxruntime-node$|@huggingface\\/)/.test(name)) return next(name, context);
        throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
      },
    });`)}`;

  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'knowledger-missing-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = async (args: readonly string[], env: { readonly [name: string]: string } = {}) => {
    const child = spawn(process.execPath, ['--import', WITHOUT_PACKAGES, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        PORT: '0',
        KNOWLEDGER_CONSOLE: 'off',
        KNOWLEDGER_DATA_DIR: folder,
        ...env,
      },
    });
    const ended = once(child, 'close');
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code: child.exitCode, out, err };
  };

  it.each([
    ['anthropic', { LLM_API_KEY: 'sk-secret' }, '@ai-sdk/anthropic'],
    ['google', { LLM_API_KEY: 'sk-secret' }, '@ai-sdk/google'],
    ['bedrock', { LLM_API_KEY: 'sk-secret', AWS_REGION: 'eu-central-1' }, '@ai-sdk/amazon-bedrock'],
  ])('says what to install for %s before anything is started or made', async (name, more, named) => {
    const env = { LLM_PROVIDER: name, LLM_MODEL: 'any', ...more };
    const { code, out, err } = await run([new URL('start.mjs', COMPOSITION).pathname], env);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`LLM_PROVIDER=${name} cannot be used: it needs a package that is not installed`);
    expect(err).toMatch(new RegExp(`npm install --omit=dev --save-prod ${named}@\\d`));
    expect(err).not.toContain('sk-secret');
    expect(await readdir(folder)).toEqual([]);
  });

  it('says what to install for runtimes of agents', async () => {
    const env = { KNOWLEDGER_AGENT_RUNTIME_ARNS: 'arn:aws:bedrock-agentcore:eu-west-1:1:runtime/a' };
    const { code, out, err } = await run([new URL('start.mjs', COMPOSITION).pathname], env);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('KNOWLEDGER_AGENT_RUNTIME_ARNS cannot be used');
    expect(err).toMatch(/npm install --omit=dev --save-prod @aws-sdk\/client-bedrock-agentcore@\d/);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['EMBEDDINGS', 'RERANK'])(
    'says what to install for %s by a model of this machine',
    async (kind) => {
      const { code, out, err } = await run([new URL('start.mjs', COMPOSITION).pathname], {
        [`${kind}_MODEL`]: 'local:tiny/model',
      });
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain(
        `${kind}_MODEL=local:tiny/model cannot be used: it needs packages that are not installed`,
      );
      expect(err).toMatch(
        /npm install --omit=dev --save-prod onnxruntime-node@\d\S* @huggingface\/tokenizers@\d/,
      );
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('loads none of them where none is chosen', async () => {
    const main = new URL('main.ts', COMPOSITION).href;
    const { code, out, err } = await run(['-e', `import('${main}').then(() => console.log('loaded'))`]);
    expect([code, out, err]).toEqual([0, 'loaded\n', '']);
  });
});
