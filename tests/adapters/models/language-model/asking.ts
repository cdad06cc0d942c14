import type {
  LanguageModel,
  ModelEvent,
  ModelRequest,
} from '../../../../application/ports/language-model.ts';
import { eventsOf, textOf } from '../../contracts/language-model.ts';

export const REQUEST: ModelRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Say something.' },
  ],
};
export const never = (): AbortSignal => new AbortController().signal;

/** Ways to ask a model in a test. */
export const asking = (model: LanguageModel) => ({
  ask: (more: Partial<ModelRequest> = {}): Promise<ModelEvent[]> =>
    eventsOf(model.stream({ ...REQUEST, ...more }, never())),
  /** The error, and what was said before it. */
  fail: async (signal = never()): Promise<{ error: Error; said: string }> => {
    const said: ModelEvent[] = [];
    try {
      for await (const one of model.stream(REQUEST, signal)) said.push(one);
    } catch (error) {
      return { error: error as Error, said: textOf(said) };
    }
    throw new Error('it answered');
  },
});
