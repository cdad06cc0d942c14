import type {
  StoredAnswer,
  CompletionDeps,
  Turn,
} from '../../application/answers/completions/completion-deps.ts';
import type { CompletionRequest } from '../../application/answers/completions/completion.ts';
import { createComplete } from '../../application/answers/completions/complete.ts';
import type { ModelOffer } from '../../application/answers/completions/model-choice.ts';
import { createGround } from '../../application/answers/completions/grounding.ts';
import type { WebResult, WebResults, WebSearch } from '../../application/ports/web-search.ts';
import type { Caller } from '../../application/access/caller.ts';
import type { ContentRecord } from '../../application/ports/catalog.ts';
import type { LogFields } from '../../application/ports/logger.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../application/ports/language-model.ts';

export const contentOf = (n: number): ContentRecord => ({
  id: `0199d2a0-0000-8000-8000-${String(n).padStart(12, '0')}`,
  text: `Fact number ${n}.`,
  url: `https://docs.example.com/${n}`,
  title: `Page ${n}`,
  timestamp: 1_763_650_000,
  fileType: 'html',
  pageNumber: 0,
  sourceType: 'crawl',
  sourceGroupId: '0199d2a0-0000-7000-8000-00000000000a',
  sourceId: `0199d2a0-0000-8000-9000-${String(n).padStart(12, '0')}`,
  keywords: [],
});

export const request = (more: Partial<CompletionRequest> = {}): CompletionRequest => ({
  messages: [{ role: 'user', content: 'What are the facts?' }],
  citation: true,
  grounding: false,
  limit: 8,
  usePostfilter: false,
  filter: {},
  truncation: 'auto',
  principalId: null,
  regenerate: false,
  ...more,
});

/** A model that says these pieces and ends so; an error is thrown where it stands. */
export const scripted = (
  ...script: readonly (string | Error | ModelEvent)[]
): LanguageModel & { asked: ModelRequest[] } => {
  const asked: ModelRequest[] = [];
  return {
    name: 'scripted',
    contextWindow: 8_000,
    structuredOutput: false,
    toolUse: false,
    asked,
    async *stream(given, signal) {
      asked.push(given);
      for (const step of script) {
        signal.throwIfAborted();
        if (step instanceof Error) throw step;
        yield typeof step === 'string' ? { kind: 'delta', text: step } : step;
      }
      if (!script.some((step) => typeof step === 'object' && !('kind' in step && step.kind === 'reasoning')))
        yield { kind: 'finish', reason: 'stop', usage: null };
    },
  };
};

type Recorded = readonly ['finished', StoredAnswer] | readonly ['failed', string];

export const webResultOf = (n: number): WebResult => ({
  url: `https://web.example/${n}`,
  title: `Web page ${n}`,
  snippet: `Web fact number ${n}.`,
});

/** A web that knows two pages, and what it was asked; rules hide the word `secret`. */
export const webOf = (answer: () => Promise<Omit<WebResults, 'query'>> = async () => TWO_PAGES) => {
  const asked: string[] = [];
  const webSearch: WebSearch = {
    search: async (query, _limit, signal) => {
      asked.push(query);
      signal.throwIfAborted();
      return { query: query.replaceAll('!!', ''), ...(await answer()) };
    },
  };
  const redactTextFor = async () => (text: string) => text.replaceAll('secret', '[hidden]');
  return { asked, ground: createGround({ webSearch, redactTextFor }) };
};
const TWO_PAGES = { results: [webResultOf(1), webResultOf(2)], suggestions: ['all facts', 'no facts'] };

export const offerOf = (model: LanguageModel, more: Partial<ModelOffer> = {}): ModelOffer => ({
  models: [model],
  isConfigured: true,
  maxTokens: null,
  maxTemperature: 1,
  ...more,
});

/** Completions over a search that finds `found` contents, and conversations that remember how each turn ended. */
export const completions = (model: LanguageModel, found = 3, turn: Partial<Turn> = {}) => {
  const recorded: Recorded[] = [];
  const warned: (readonly [string, LogFields | undefined])[] = [];
  const queries: string[] = [];
  let made = 0;
  const newId = (): string => `0199d2a0-0000-7000-8000-${String((made += 1)).padStart(12, '0')}`;
  const deps: CompletionDeps = {
    offer: offerOf(model),
    ground: null,
    redactorsFor: async () => () => ({ push: (piece) => piece, flush: () => '' }),
    ids: { newId },
    claimCompletion: () => Promise.reject(new Error('no request here has a key')),
    replay: () => Promise.reject(new Error('nothing here is answered again')),
    log: {
      info: () => {},
      warn: (message, fields) => void warned.push([message, fields]),
      error: () => {},
    },
    search: async (_caller, { query }) => {
      queries.push(query);
      const results = Array.from({ length: found }, (_, i) => ({
        content: contentOf(i + 1),
        score: 1,
        ranks: {},
      }));
      return { results, queryId: newId(), totalCandidates: found, mode: 'keyword', reranked: false };
    },
    turns: {
      open: async (_caller, { messages }) => ({
        conversationId: newId(),
        userMessageId: newId(),
        assistantMessageId: newId(),
        history: messages.filter(({ role }) => role !== 'system'),
        ...turn,
      }),
      finish: async (_caller, _turn, answered) => {
        recorded.push(['finished', answered]);
        return 1_763_650_000_000;
      },
      fail: async (_caller, _turn, code) => void recorded.push(['failed', code]),
    },
  };
  return { complete: createComplete(deps), deps, recorded, queries, warned };
};

export const CALLER = {
  tenant: 'acme',
  key_id: 'k',
  scopes: [],
  source_group_ids: null,
} as unknown as Caller;
