import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

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
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', KNOWLEDGER_DATA_DIR: folder, ...env },
  });
  const ended = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code: child.exitCode, out, err };
};

describe('the started program without the packages of providers', { timeout: 60_000 }, () => {
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
