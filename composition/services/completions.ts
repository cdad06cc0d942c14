import type { Complete } from '../../application/answers/completions/complete.ts';
import type { Ground } from '../../application/answers/completions/grounding.ts';
import type { ModelOffer } from '../../application/answers/completions/model-choice.ts';
import type { EnterOnce } from '../../application/answers/completions/once.ts';
import type { Replay } from '../../application/answers/completions/replay.ts';
import type { ConversationTurns } from '../../application/answers/conversations/turns.ts';
import type { Extract } from '../../application/answers/extract/extract.ts';
import type { AnswerHolds } from '../../application/ports/leases.ts';
import type { Vault } from '../../application/ports/vault.ts';
import type { WebSearch } from '../../application/ports/web-search.ts';
import type { LanguageModels } from '../language-model.ts';

/** Answers, and the conversations that they belong to. */
export interface CompletionServices {
  LanguageModels: LanguageModels;
  ModelOffer: ModelOffer;
  /** Null where no search engine is configured. */
  WebSearch: WebSearch | null;
  /** Null where no search engine is configured. */
  Ground: Ground | null;
  /** Texts that can be erased. */
  Vault: Vault;
  AnswerHolds: AnswerHolds;
  ConversationTurns: ConversationTurns;
  EnterOnce: EnterOnce;
  Replay: Replay;
  Complete: Complete;
  Extract: Extract;
}
