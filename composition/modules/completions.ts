import { ContainerModule } from 'inversify';
import { schemaCompiler } from '../../adapters/json-schema/schema-compiler.ts';
import { every } from '../../adapters/system/timing.ts';
import { tracedLanguageModel } from '../../adapters/telemetry/traced-language-model.ts';
import { createComplete } from '../../application/completion/complete.ts';
import { createEnterOnce } from '../../application/completion/once.ts';
import { createReplay } from '../../application/completion/replay.ts';
import { createExtract } from '../../application/extract/extract.ts';
import { createStreamRedactor } from '../../application/redaction/stream-redactor.ts';
import { createLanguageModels, offerOf } from '../language-model.ts';
import { TOKENS as T } from '../tokens.ts';

/** Answers: the models that are configured, or sentences of the contents where none is. */
export const completionsModule = new ContainerModule(({ bind }) => {
  bind(T.LanguageModels)
    .toResolvedValue(
      ({ languageModel }) => {
        const [first, ...others] = createLanguageModels(languageModel);
        return [tracedLanguageModel(first), ...others.map((model) => tracedLanguageModel(model))] as const;
      },
      [T.Config],
    )
    .inSingletonScope()
    .onDeactivation(async (models) => void (await Promise.all(models.map((model) => model.close()))));
  bind(T.ModelOffer).toResolvedValue(
    (models, { languageModel }) => offerOf(models, languageModel),
    [T.LanguageModels, T.Config],
  );
  bind(T.EnterOnce).toResolvedValue(
    (execute, store, codec, vault, holds, hash, ids, clock, { leaseMs: holdMs }, log) => {
      const failed = (error: unknown) =>
        log.warn('an answer could not be held', { error: (error as Error).message });
      const renewed = (ms: number, run: () => Promise<void>) => every(ms, run, failed);
      const parts = { execute, store, codec, vault, holds, hash, ids, clock, holdMs };
      return createEnterOnce({ ...parts, every: renewed });
    },
    [
      ...([T.Execute, T.EventStore, T.EventCodec, T.Vault, T.AnswerHolds, T.Hash] as const),
      ...([T.IdSource, T.Clock, T.Config, T.Logger] as const),
    ],
  );
  bind(T.Replay).toResolvedValue(
    (store, codec, vault, { content }) => createReplay({ store, codec, vault, content }),
    [T.EventStore, T.EventCodec, T.Vault, T.SourceOperations],
  );
  bind(T.Complete).toResolvedValue(
    (turns, { search }, ground, offer, policies, ids, enterOnce, replay, log) => {
      const redactorFor = async (tenant: string) =>
        createStreamRedactor((await policies.at(tenant, 'completion')).compiled);
      return createComplete({ turns, search, ground, offer, redactorFor, ids, enterOnce, replay, log });
    },
    [
      T.ConversationTurns,
      T.SearchOperations,
      T.Ground,
      T.ModelOffer,
      T.PoliciesInForce,
      T.IdSource,
      T.EnterOnce,
      T.Replay,
      T.Logger,
    ],
  );
  bind(T.Extract).toResolvedValue(
    ({ search }, sources, { models: [model], maxTokens }, policies, ids, log) => {
      const rulesFor = async (tenant: string) => (await policies.at(tenant, 'completion')).compiled;
      return createExtract({
        search,
        sources,
        model,
        maxTokens,
        rulesFor,
        schemas: schemaCompiler,
        ids,
        log,
      });
    },
    [T.SearchOperations, T.SourceOperations, T.ModelOffer, T.PoliciesInForce, T.IdSource, T.Logger],
  );
});
