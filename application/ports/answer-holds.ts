import { DomainError } from '../../domain/shared/domain-error.ts';

/**
 * Which answers are being written at present, by whatever process. An aid to tell a long answer from one whose process
 * died: what decides between two writers is the exact revision of the conversation.
 */
export interface AnswerHolds {
  /** Holds an answer for `ms` from now on, whether or not it was held. */
  readonly hold: (answerId: string, ms: number) => Promise<void>;
  /** By the clock that `hold` goes by. */
  readonly isHeld: (answerId: string) => Promise<boolean>;
  /** Of one that is not held nothing happens. */
  readonly release: (answerId: string) => Promise<void>;
}

/** The first request with an `Idempotency-Key` is not answered yet. It passes: the same request does better later. */
export class StillAnswering extends DomainError {
  constructor() {
    super(
      'conflict',
      'the first request with this Idempotency-Key is still being answered: repeat it later, with the same key',
    );
  }
}
