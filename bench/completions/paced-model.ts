import { setTimeout as sleep } from 'node:timers/promises';
import { chunk, DONE, type ProviderAnswer } from '../../tests/support/model-provider.ts';

/** A model that begins at once and then says a word at a time, as fast as models do; it counts who listens at once. */
export const pacedModel = (words: number, everyMs: number) => {
  let speaking = 0;
  let most = 0;
  const answer: ProviderAnswer = async (_asked, response) => {
    speaking += 1;
    most = Math.max(most, speaking);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let word = 0; word < words && !response.destroyed; word++) {
      response.write(chunk({ content: `word${word} ` }));
      await sleep(everyMs);
    }
    response.end(chunk({}, 'stop') + DONE);
    speaking -= 1;
  };
  return {
    answer,
    /** All that it says. */
    text: Array.from({ length: words }, (_, word) => `word${word} `).join(''),
    /** The most streams that were open at once. */
    maxAtOnce: () => most,
  };
};
