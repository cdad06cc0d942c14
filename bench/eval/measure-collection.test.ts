import { describe, expect, it } from 'vitest';
import { measureCollection } from './measure-collection.ts';
import { EvalUsageError } from './usage-error.ts';

describe('the options of a test collection', () => {
  it.each([
    [['--modes', 'words'], /words is none of keyword, vector, hybrid/],
    [['--modes', 'keyword,vector'], /vector needs vectors/],
    [['--embeddings', 'http://127.0.0.1:1'], /give both/],
    [['--embeddings-model', 'm'], /give both/],
  ])('that do not fit are refused with what to write instead: %j', async (options, message) => {
    const measured = measureCollection(['nowhere', ...options], () => {});
    await expect(measured).rejects.toThrow(EvalUsageError);
    await expect(measureCollection(['nowhere', ...options], () => {})).rejects.toThrow(message);
  });
});
