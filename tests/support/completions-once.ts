import { createHash } from 'node:crypto';
import { createMemoryAnswerLeases } from './memory/leases.ts';
import { createMemoryEventStore } from './memory/event-store.ts';
import { createMemoryVault } from './memory/vault.ts';
import { createComplete } from '../../application/answers/completions/complete.ts';
import type { CompletionDeps } from '../../application/answers/completions/completion-deps.ts';
import type {
  CompletionRequest,
  RunningCompletion,
} from '../../application/answers/completions/completion.ts';
import { createClaimCompletion } from '../../application/answers/completions/claim-completion.ts';
import { createReplay } from '../../application/answers/completions/replay.ts';
import { createConversationOperations } from '../../application/answers/conversations/operations.ts';
import { sweepVault } from '../../application/agents/sweep-vault.ts';
import { createTurns } from '../../application/answers/conversations/turns.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../application/event-sourcing/execute.ts';
import type { EventStore } from '../../application/ports/event-store.ts';
import type { LanguageModel } from '../../application/ports/language-model.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import { completions, contentOf, request } from './completions.ts';
import { callerOf, noOverlay } from './conversations.ts';

export const HOLD_MS = 30_000;

/** Completions over conversations that are kept in memory, by a clock that the test moves. `gone`: contents deleted. */
export const completionsOnce = (model: LanguageModel, change: Partial<CompletionDeps> = {}) => {
  const memory = createMemoryEventStore();
  const written: (readonly [stream: string, events: unknown])[] = [];
  const failing = { category: '', times: 0, error: new Error() };
  const store: EventStore = {
    readStream: (...of) => memory.readStream(...of),
    append: async (stream, expected, events) => {
      if (failing.times > 0 && stream.startsWith(`${failing.category}-`)) {
        failing.times -= 1;
        throw failing.error;
      }
      written.push([stream, events]);
      return memory.append(stream, expected, events);
    },
  };
  return {
    ...completionsOn(store, createMemoryVault(), model, change),
    written,
    store: memory,
    /** So many appends to streams of the category fail. */
    failNext: (category: string, error: Error, times = 1) =>
      void Object.assign(failing, { category, error, times }),
  };
};

const completionsOn = (
  store: EventStore,
  vault: ReturnType<typeof createMemoryVault>,
  model: LanguageModel,
  change: Partial<CompletionDeps>,
) => {
  let now = 1_790_000_000_000;
  let made = 0;
  const clock = { now: () => now };
  const ids = { newId: () => `0199d2a0-0000-7000-9000-${String((made += 1)).padStart(12, '0')}` };
  const hash = { sha256: (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex') };
  const codec = createEventCodec();
  const execute = createExecute({ store, codec, ids });
  const answerLeases = createMemoryAnswerLeases(clock);
  const kept = { execute, vault, ids, clock };
  const renewals: (() => Promise<void>)[] = [];
  const renewedEvery: number[] = [];
  const every = (ms: number, run: () => Promise<void>) => {
    renewals.push(run);
    renewedEvery.push(ms);
    return { stop: () => void renewals.splice(0, renewals.length, ...renewals.filter((one) => one !== run)) };
  };
  const gone = new Set<string>();
  const content = async (_caller: unknown, id: string) => {
    if (gone.has(id)) throw new DomainError('not_found', 'there is no such content');
    return contentOf(Number(id.slice(-12)));
  };
  const { deps } = completions(model);
  const complete = createComplete({
    ...deps,
    turns: createTurns(kept),
    claimCompletion: createClaimCompletion({ ...kept, answerLeases, hash, leaseMs: HOLD_MS, every }),
    replay: createReplay({ execute, vault, content }),
    ...change,
  });
  const caller = callerOf('acme');
  const view = { list: async () => ({ rows: [], hasMore: false, total: 0 }) };
  const redactTextFor = async () => (text: string) => text;
  return {
    gone,
    vault,
    renewals,
    /** How often each hold is renewed, in milliseconds. */
    renewedEvery,
    conversations: createConversationOperations({ ...kept, view, redactTextFor, overlay: noOverlay }),
    pass: (ms: number) => void (now += ms),
    sweep: () =>
      sweepVault({ vault, execute }, new AbortController().signal, { olderMs: 0, youngerMs: 3_600_000 }),
    start: (key?: string, more: Partial<CompletionRequest> = {}, by = caller, signal = never()) =>
      complete(by, request(more), signal, key),
    ask: async (key?: string, more: Partial<CompletionRequest> = {}, by = caller) =>
      ended(await complete(by, request(more), never(), key)),
  };
};

const never = (): AbortSignal => new AbortController().signal;

/** The whole answer, and whether it is the first one again. */
export const ended = async ({ events, replayed, contents, web }: RunningCompletion) => {
  let said = '';
  for await (const event of events) {
    if (event.kind === 'finished') return { said, replayed, contents, web, completion: event.completion };
    said += event.text;
  }
  throw new Error('a completion ended without an answer');
};
