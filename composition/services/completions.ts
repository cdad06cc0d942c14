import type { Complete } from '../../application/completion/complete.ts';
import type { Ground } from '../../application/completion/grounding.ts';
import type { ModelOffer } from '../../application/completion/model-choice.ts';
import type { EnterOnce } from '../../application/completion/once.ts';
import type { Replay } from '../../application/completion/replay.ts';
import type { ConversationTurns } from '../../application/conversation/turns.ts';
import type { Extract } from '../../application/extract/extract.ts';
import type { AnswerHolds } from '../../application/ports/answer-holds.ts';
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
