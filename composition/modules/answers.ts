import { Agent } from 'undici';
import { createSearxngWebSearch } from '../../adapters/models/web-search/searxng/web-search.ts';
import { createConversationView } from '../../adapters/postgres/views/conversation-view.ts';
import { schemaCompiler } from '../../adapters/system/json-schema/schema-compiler.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { tracedLanguageModel, tracedWebSearch } from '../../adapters/telemetry/traced-providers.ts';
import { createComplete } from '../../application/answers/completions/complete.ts';
import { createGround } from '../../application/answers/completions/grounding.ts';
import { createClaimCompletion } from '../../application/answers/completions/claim-completion.ts';
import { createReplay } from '../../application/answers/completions/replay.ts';
import { createConversationOperations } from '../../application/answers/conversations/operations.ts';
import { createTurns } from '../../application/answers/conversations/turns.ts';
import { createExtract } from '../../application/answers/extract/extract.ts';
import { createStreamRedactor } from '../../application/redaction/stream-redactor.ts';
import { createLanguageModels, offerOf } from '../language-models.ts';
import { type Given, provide, token } from '../wiring.ts';
import { REDACTION } from './redaction.ts';
import { SEARCH } from './search.ts';
import { SOURCES } from './sources.ts';
import { CORE } from './core.ts';

const WEB_CONNECT_MS = 2_000;

const MODEL_NEEDS = { core: CORE };

/** The configured language models, or sentences from the contents when none is configured. */
const openLanguageModels = ({ core: { config } }: Given<typeof MODEL_NEEDS>) => {
  const untraced = createLanguageModels(config.languageModel);
  const [first, ...others] = untraced;
  const models = config.telemetry.traces
    ? ([tracedLanguageModel(first), ...others.map((model) => tracedLanguageModel(model))] as const)
    : untraced;
  return {
    offer: offerOf(models, config.languageModel),
    close: async () => {
      await Promise.all(untraced.map((model) => model.close()));
    },
  };
};

export const LANGUAGE_MODELS = token<ReturnType<typeof openLanguageModels>>('languageModels');
export const languageModelsModule = provide(LANGUAGE_MODELS, MODEL_NEEDS, openLanguageModels);

const NEEDS = {
  core: CORE,
  redaction: REDACTION,
  search: SEARCH,
  sources: SOURCES,
  languageModels: LANGUAGE_MODELS,
};

/** Answers to questions, and their conversations. */
const openAnswers = ({
  core,
  redaction,
  search: found,
  sources: { operations },
  languageModels: { offer },
}: Given<typeof NEEDS>) => {
  const { config, log } = core;
  const { sources } = operations;
  const { search } = found.operations.search;
  const common = { ...core, redactTextFor: redaction.redactTextFor };
  const dispatcher = new Agent({ connect: { timeout: WEB_CONNECT_MS }, connections: 8 });
  const { webSearch: web } = config;
  const ground =
    web === undefined
      ? null
      : createGround({
          ...redaction,
          webSearch: tracedWebSearch(createSearxngWebSearch({ dispatcher, sleep, ...web }), web.url),
        });
  const rulesFor = async (tenant: string) => (await redaction.policies.at(tenant, 'completion')).compiled;
  const asking = { ids: core.ids, log, search };
  return {
    operations: {
      conversations: createConversationOperations({ ...common, view: createConversationView(core.db) }),
      complete: createComplete({
        ...asking,
        turns: createTurns(common),
        ground,
        offer,
        claimCompletion: createClaimCompletion({
          ...common,
          answerLeases: core.answerLeases,
          leaseMs: config.leaseMs,
          every: core.everyLogged('an answer could not be held'),
        }),
        replay: createReplay({ ...common, content: sources.content }),
        redactorsFor: async (tenant) => {
          const rules = await rulesFor(tenant);
          return () => createStreamRedactor(rules);
        },
      }),
      extract: createExtract({
        ...asking,
        sources,
        model: offer.models[0],
        maxTokens: offer.maxTokens,
        rulesFor,
        schemas: schemaCompiler,
      }),
    },
    close: () => dispatcher.destroy(),
  };
};

export const ANSWERS = token<ReturnType<typeof openAnswers>>('answers');
export const answersModule = provide(ANSWERS, NEEDS, openAnswers);
