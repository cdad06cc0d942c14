import { DomainError } from '../../../domain/shared/domain-error.ts';
import { ANSWER_SHARE } from './prompt.ts';
import type { LanguageModel } from '../../ports/language-model.ts';

/** What an operator lets requests choose. */
export interface ModelOffer {
  /** The first one answers where none is named. */
  readonly models: readonly [LanguageModel, ...LanguageModel[]];
  /** Whether these are models of a provider, and no substitute for one. */
  readonly isConfigured: boolean;
  /** Of every answer, in tokens; null: the models' own limits, and of what is asked for a quarter of the window. */
  readonly maxTokens: number | null;
  readonly maxTemperature: number;
}

/** What a request chooses. */
export interface ModelWish {
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
 * The model that answers a request, and how.
 *
 * @throws DomainError not_configured for what only a provider's model has; invalid_request beyond what is offered, with
 *   what would be within
 */
export const chooseModel = (offer: ModelOffer, wish: ModelWish): ChosenModel => {
  const { temperature, maxTokens } = wish;
  if (!offer.isConfigured && (wish.model !== undefined || temperature !== undefined)) {
    const named = wish.model !== undefined ? 'model' : 'temperature';
    throw new DomainError('not_configured', `no language model is set up here: leave ${named} out`);
  }
  const model = modelOf(offer, wish.model);
  if (temperature !== undefined && temperature > offer.maxTemperature)
    throw invalid(`temperature is at most ${offer.maxTemperature} here`);
  const most = offer.maxTokens ?? Math.floor(model.contextWindow * ANSWER_SHARE);
  if (maxTokens !== undefined && maxTokens > most) throw invalid(`max_tokens is at most ${most} here`);
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
