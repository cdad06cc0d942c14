import { ContainerModule } from 'inversify';
import { schemaCompiler } from '../../adapters/system/json-schema/schema-compiler.ts';
import { every } from '../../adapters/system/timing.ts';
import { tracedLanguageModel } from '../../adapters/telemetry/traced-language-model.ts';
import { createComplete } from '../../application/answers/completions/complete.ts';
import { createEnterOnce } from '../../application/answers/completions/once.ts';
import { createReplay } from '../../application/answers/completions/replay.ts';
import { createExtract } from '../../application/answers/extract/extract.ts';
import { createStreamRedactor } from '../../application/redaction/stream-redactor.ts';
import type { Config } from '../config.ts';
import { createLanguageModels, offerOf } from '../language-model.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** Answers: the models that are configured, or sentences of the contents where none is. */
export const completionsModule = ({
  languageModel,
  leaseMs: holdMs,
  telemetry,
}: Pick<Config, 'languageModel' | 'leaseMs' | 'telemetry'>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    provide(
      T.LanguageModels,
      () => {
        const models = createLanguageModels(languageModel);
        if (!telemetry.traces) return models;
        const [first, ...others] = models;
        return [tracedLanguageModel(first), ...others.map((model) => tracedLanguageModel(model))] as const;
      },
      {},
    ).onDeactivation(async (models) => void (await Promise.all(models.map((model) => model.close()))));
    provide(T.ModelOffer, ({ models }) => offerOf(models, languageModel), { models: T.LanguageModels });
    const texts = { execute: T.Execute, vault: T.Vault } as const;
    provide(
      T.EnterOnce,
      ({ log, ...deps }) => {
        const failed = (error: unknown): void =>
          log.warn('an answer could not be held', { error: (error as Error).message });
        return createEnterOnce({ ...deps, holdMs, every: (ms, run) => every(ms, run, failed) });
      },
      {
        ...texts,
        holds: T.AnswerHolds,
        hash: T.Hash,
        ids: T.IdSource,
        clock: T.Clock,
        log: T.Logger,
      },
    );
    provide(T.Replay, ({ sources, ...deps }) => createReplay({ ...deps, content: sources.content }), {
      ...texts,
      sources: T.SourceOperations,
    });
    provide(
      T.Complete,
      ({ operations, policies, ...deps }) => {
        const redactorFor = async (tenant: string) =>
          createStreamRedactor((await policies.at(tenant, 'completion')).compiled);
        return createComplete({ ...deps, search: operations.search, redactorFor });
      },
      {
        turns: T.ConversationTurns,
        operations: T.SearchOperations,
        ground: T.Ground,
        offer: T.ModelOffer,
        policies: T.PoliciesInForce,
        ids: T.IdSource,
        enterOnce: T.EnterOnce,
        replay: T.Replay,
        log: T.Logger,
      },
    );
    provide(
      T.Extract,
      ({ operations, offer, policies, ...deps }) => {
        const { models, maxTokens } = offer;
        const rulesFor = async (tenant: string) => (await policies.at(tenant, 'completion')).compiled;
        const { search } = operations;
        return createExtract({ ...deps, search, model: models[0], maxTokens, rulesFor });
      },
      {
        operations: T.SearchOperations,
        sources: T.SourceOperations,
        offer: T.ModelOffer,
        policies: T.PoliciesInForce,
        ids: T.IdSource,
        log: T.Logger,
      },
      { schemas: schemaCompiler },
    );
  });
