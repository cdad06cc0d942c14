import type { LanguageModel } from '../../../../application/ports/language-model.ts';

/** A language model with connections of its own. */
export interface ConnectedLanguageModel extends LanguageModel {
  /** Ends all requests; later ones fail with ProviderError. */
  readonly close: () => Promise<void>;
}
