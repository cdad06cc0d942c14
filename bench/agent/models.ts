import { setTimeout as sleep } from 'node:timers/promises';
import { chunk, DONE, type ModelProvider, type ProviderAnswer } from '../../tests/support/model-provider.ts';

/** Answers in one piece, at once, and remembers nothing of what it was asked. */
export const instantModel =
  (provider: ModelProvider): ProviderAnswer =>
  (_asked, response) => {
    provider.asked.length = 0;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(chunk({ role: 'assistant', content: 'It is so.' }) + chunk({}, 'stop') + DONE);
  };

/** Says its first words at once, and goes on for as long as models do. */
export const talkativeModel =
  (words: number, everyMs: number): ProviderAnswer =>
  async (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let word = 0; word < words && !response.destroyed; word++) {
      response.write(chunk({ content: `word${word} ` }));
      await sleep(everyMs);
    }
    response.end(chunk({}, 'stop') + DONE);
  };
