import { createMemoryAnswerLeases } from '../../support/memory/leases.ts';
import { answerLeasesContract } from '../contracts/answer-leases.ts';

answerLeasesContract('Memory', async () => ({
  answerLeases: createMemoryAnswerLeases({ now: Date.now }),
  close: async () => {},
}));
