import { DomainError } from '../../../domain/shared/domain-error.ts';
import { ANSWER_SHARE } from './prompt.ts';
import type { LanguageModel } from '../../ports/language-model.ts';

/** The models and limits that the operator offers to requests. */
export interface ModelOffer {
  /** The first one is the default. */
  readonly models: readonly [LanguageModel, ...LanguageModel[]];
  /** Whether these are models of a provider, rather than the built-in substitute. */
  readonly isConfigured: boolean;
  /**
   * Maximum tokens of every answer; null: the model's own limit, and a request may ask for a quarter of the window.
   */
  readonly maxTokens: number | null;
  readonly maxTemperature: number;
}

/** The model settings of a request. */
export interface ModelSettings {
  readonly model?: string;
  /** From 0. */
  readonly temperature?: number;
  /** From 1. */
  readonly maxTokens?: number;
}

export interface ChosenModel {
  readonly model: LanguageModel;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
}

/**
 * Chooses the model and its settings for a request.
 *
 * @throws DomainError not_configured for settings that only a provider's model has; invalid_request for settings
 *   beyond the offer; the message names the allowed values
 */
export const chooseModel = (offer: ModelOffer, wish: ModelSettings): ChosenModel => {
  const { temperature, maxTokens } = wish;
  if (!offer.isConfigured && (wish.model !== undefined || temperature !== undefined)) {
    const named = wish.model !== undefined ? 'model' : 'temperature';
    throw new DomainError('not_configured', `no language model is set up here: leave ${named} out`);
  }
  const model = modelOf(offer, wish.model);
  if (temperature !== undefined && temperature > offer.maxTemperature)
    throw invalid(`temperature is at most ${offer.maxTemperature} here`);
  const limit = offer.maxTokens ?? Math.floor(model.contextWindow * ANSWER_SHARE);
  if (maxTokens !== undefined && maxTokens > limit) throw invalid(`max_tokens is at most ${limit} here`);
  const maxOutputTokens = maxTokens ?? offer.maxTokens ?? undefined;
  return {
    model,
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
};

const modelOf = ({ models }: ModelOffer, wanted: string | undefined): LanguageModel => {
  const model = wanted === undefined ? models[0] : models.find(({ name }) => name === wanted);
  if (model !== undefined) return model;
  throw invalid(`model must be one of ${models.map(({ name }) => name).join(', ')}`);
};

const invalid = (message: string): DomainError => new DomainError('invalid_request', message);
