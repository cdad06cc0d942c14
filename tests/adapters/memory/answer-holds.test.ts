import { createMemoryAnswerHolds } from '../../../adapters/memory/answer-holds.ts';
import { answerHoldsContract } from '../contracts/answer-holds.ts';

answerHoldsContract('Memory', async () => ({
  holds: createMemoryAnswerHolds({ now: Date.now }),
  close: async () => {},
}));
