import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProviderFetch } from '../../../../../adapters/models/language-model/ai-sdk/providers.ts';
import { openModelProvider } from '../../../../support/model-provider.ts';

describe('what the packages of providers send their requests with', () => {
  it('sends no body that is not text, rather than what it would be called', async () => {
    const [provider, agent] = [await openModelProvider(), new Agent()];
    onTestFinished(async () => {
      await agent.close();
      await provider.close();
    });
    const options = {
      answers: 'text/event-stream',
      censor: (text: string) => text,
      connectMs: 500,
      maxBytes: 1_000,
    };
    const send = createProviderFetch(agent, options);
    for (const body of [new URLSearchParams({ a: 'b' }), new FormData(), null])
      await expect(send(provider.baseUrl, { method: 'POST', body })).rejects.toThrow(
        'a body that is no text',
      );
    expect(provider.asked).toHaveLength(0);
  });
});
