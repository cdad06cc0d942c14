import { ContainerModule } from 'inversify';
import { schemaCompiler } from '../../adapters/json-schema/schema-compiler.ts';
import { createComplete } from '../../application/completion/complete.ts';
import { createExtract } from '../../application/extract/extract.ts';
import { createStreamRedactor } from '../../application/redaction/stream-redactor.ts';
import { createLanguageModels, offerOf } from '../language-model.ts';
import { TOKENS as T } from '../tokens.ts';

/** Answers: the models that are configured, or sentences of the contents where none is. */
export const completionsModule = new ContainerModule(({ bind }) => {
  bind(T.LanguageModels)
    .toResolvedValue(({ languageModel }) => createLanguageModels(languageModel), [T.Config])
    .inSingletonScope()
    .onDeactivation(async (models) => void (await Promise.all(models.map((model) => model.close()))));
  bind(T.ModelOffer).toResolvedValue(
    (models, { languageModel }) => offerOf(models, languageModel),
    [T.LanguageModels, T.Config],
  );
  bind(T.Complete).toResolvedValue(
    (turns, { search }, ground, offer, policies, ids, clock, log) => {
      const redactorFor = async (tenant: string) =>
        createStreamRedactor((await policies.at(tenant, 'completion')).compiled);
      return createComplete({ turns, search, ground, offer, redactorFor, ids, clock, log });
    },
    [
      T.ConversationTurns,
      T.SearchOperations,
      T.Ground,
      T.ModelOffer,
      T.PoliciesInForce,
      T.IdSource,
      T.Clock,
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
