import { describe, expect, it } from 'vitest';
import { chooseModel, type ModelOffer } from '../../../../application/answers/completions/model-choice.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { offerOf, scripted } from '../../../support/completions.ts';

const small = { ...scripted('x'), name: 'small', contextWindow: 1_000 };
const large = { ...scripted('x'), name: 'large', contextWindow: 8_000 };
const offer = (more: Partial<ModelOffer> = {}): ModelOffer =>
  offerOf(small, { models: [small, large], ...more });
const refusal = (...args: Parameters<typeof chooseModel>): readonly [string, string] => {
  try {
    chooseModel(...args);
  } catch (error) {
    if (error instanceof DomainError) return [error.code, error.message];
  }
  throw new Error('it was not refused');
};

describe('a request', () => {
  it('is answered by the first model, as it likes, where it asks for nothing', () => {
    expect(chooseModel(offer(), {})).toEqual({ model: small });
  });

  it('chooses within what the operator allows', () => {
    const wish = { model: 'large', temperature: 1, maxTokens: 2_000 };
    expect(chooseModel(offer(), wish)).toEqual({ model: large, temperature: 1, maxOutputTokens: 2_000 });
    expect(chooseModel(offer(), { temperature: 0 })).toEqual({ model: small, temperature: 0 });
  });

  it('is held to the limit of the operator where it names none', () => {
    expect(chooseModel(offer({ maxTokens: 300 }), {})).toEqual({ model: small, maxOutputTokens: 300 });
    expect(chooseModel(offer({ maxTokens: 300 }), { maxTokens: 20 }).maxOutputTokens).toBe(20);
  });

  it.each([
    [{ model: 'huge' }, 'model must be one of small, large'],
    [{ temperature: 1.01 }, 'temperature is at most 1 here'],
    [{ maxTokens: 251 }, 'max_tokens is at most 250 here'],
    [{ model: 'large', maxTokens: 2_001 }, 'max_tokens is at most 2000 here'],
  ])('is refused for %j, with what is allowed', (wish, message) => {
    expect(refusal(offer(), wish)).toEqual(['invalid_request', message]);
  });

  it.each([{ model: 'small' }, { temperature: 0 }])('names %j in vain without a language model', (wish) => {
    const [code, message] = refusal(offer({ isConfigured: false }), wish);
    expect(code).toBe('not_configured');
    expect(message).toContain(Object.keys(wish)[0]);
    expect(chooseModel(offer({ isConfigured: false }), { maxTokens: 9 }).maxOutputTokens).toBe(9);
  });
});
