import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MANIFEST } from '../../adapters/local-model/weights/manifest.ts';
import { eventually } from '../support/eventually.ts';
import { openJourney } from '../support/journey.ts';
import { openHub } from '../support/local-model/hub.ts';
import { writeFiles } from '../support/local-model/installed.ts';
import { HAS_RUNTIME } from '../support/local-model/models.ts';
import { tinyEmbeddingModel, tinyReranker } from '../support/local-model/tiny-model.ts';
import { type Service, startService } from '../support/service.ts';
import { uploaded } from '../support/uploads.ts';

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
