import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  openProvider,
  type ProviderSettings,
} from '../../../../../adapters/models/language-model/ai-sdk/providers.ts';

const AWS = { accessKeyId: 'AKIA1', secretAccessKey: 'of-the-settings' };
const SETTINGS: readonly [ProviderSettings, string][] = [
  [{ provider: 'anthropic', apiKey: 'k' }, 'https://api.anthropic.com/v1/messages'],
  [
    { provider: 'google', apiKey: 'k' },
    'https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse',
  ],
  [
    { provider: 'bedrock', region: 'eu-central-1', credentials: AWS },
    'https://bedrock-runtime.eu-central-1.amazonaws.com/model/m/converse-stream',
  ],
  [
    { provider: 'bedrock', region: 'cn-north-1', credentials: { apiKey: 'k' } },
    'https://bedrock-runtime.cn-north-1.amazonaws.com.cn/model/m/converse-stream',
  ],
];

/** What the package would have sent. */
const requestOf = async (settings: ProviderSettings): Promise<{ url: string; headers: Headers }> => {
  const sent: { url: string; headers: Headers }[] = [];
  const model = await openProvider(settings, 'm', async (input, init) => {
    sent.push({ url: (input as string | URL).toString(), headers: new Headers(init?.headers) });
    throw new Error('not sent');
  });
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'a' }] }];
  await expect((async () => model.doStream({ prompt }))()).rejects.toThrow('not sent');
  return sent[0]!;
};

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a package of the AI SDK', () => {
  it.each(SETTINGS)('sends what %j is asked to where the provider is', async (settings, url) => {
    expect((await requestOf(settings)).url).toBe(url);
  });

  it.each(SETTINGS)(
    'takes nothing for %j from the environment, which may mean another service',
    async (settings, url) => {
      for (const name of ['ANTHROPIC_BASE_URL', 'AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME'])
        vi.stubEnv(name, 'https://files.example');
      for (const name of [
        'ANTHROPIC_API_KEY',
        'ANTHROPIC_AUTH_TOKEN',
        'GOOGLE_GENERATIVE_AI_API_KEY',
        'AWS_REGION',
        'AWS_ACCESS_KEY_ID',
        'AWS_SECRET_ACCESS_KEY',
        'AWS_SESSION_TOKEN',
      ])
        vi.stubEnv(name, 'of-the-environment');
      const sent = await requestOf(settings);
      expect(sent.url).toBe(url);
      expect(JSON.stringify([...sent.headers])).not.toContain('of-the-environment');
    },
  );
});
