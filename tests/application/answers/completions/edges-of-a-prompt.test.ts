import { describe, expect, it } from 'vitest';
import {
  buildPrompt,
  estimateTokens,
  fenced,
  type PromptParts,
} from '../../../../application/answers/completions/prompt.ts';

const passage = (text: string) => ({ title: 'A title', url: 'https://example.com/', text });
const parts = (more: Partial<PromptParts> = {}): PromptParts => ({
  system: [],
  history: [],
  question: 'What is it?',
  passages: [],
  citation: true,
  nonce: 'f3a9',
  contextWindow: 8_000,
  truncation: 'auto',
  ...more,
});
const rulesOf = (more: Partial<PromptParts>): string => buildPrompt(parts(more)).messages[0]!.content;
const refused = (more: Partial<PromptParts>, why: string): void =>
  expect(() => buildPrompt(parts(more))).toThrow(
    expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(why) as string }),
  );

describe('the window of a model', () => {
  const question = 'What is it?';
  const bare = estimateTokens(rulesOf({})) + estimateTokens(question);

  it('is filled to the last token by question and rules, and refuses one more', () => {
    const full = { question, answerTokens: 100, contextWindow: 100 + bare };
    expect(buildPrompt(parts(full))).toMatchObject({ passages: 0, turns: 0 });
    refused({ ...full, contextWindow: 99 + bare }, 'longer than the model can read');
  });
});

describe('a passage', () => {
  it('has its title and its address on one line, of 500 characters each at the most', () => {
    const shown = { ...passage('x'), title: ' A \n\t title ', url: `https://e.example/${'a'.repeat(600)}` };
    const url = shown.url.slice(0, 500);
    expect(fenced(shown, 2, 'n').split('\n')).toEqual([
      '<passage n>',
      `[2] A title (${url})`,
      'x',
      '</passage n>',
    ]);
  });
});
