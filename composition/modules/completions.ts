import { ContainerModule } from 'inversify';
import { schemaCompiler } from '../../adapters/json-schema/schema-compiler.ts';
import { createComplete } from '../../application/completion/complete.ts';
import { createExtract } from '../../application/extract/extract.ts';
import { createStreamRedactor } from '../../application/redaction/stream-redactor.ts';
import { createLanguageModel } from '../language-model.ts';
import { TOKENS as T } from '../tokens.ts';

/** Answers: the model that is configured, or sentences of the contents where none is. */
export const completionsModule = new ContainerModule(({ bind }) => {
  bind(T.LanguageModel)
    .toResolvedValue(({ languageModel }) => createLanguageModel(languageModel), [T.Config])
    .inSingletonScope()
    .onDeactivation((model) => model.close());
  bind(T.Complete).toResolvedValue(
    (turns, { search }, ground, model, policies, ids, clock, log) => {
      const redactorFor = async (tenant: string) =>
        createStreamRedactor((await policies.at(tenant, 'completion')).compiled);
      return createComplete({ turns, search, ground, model, redactorFor, ids, clock, log });
    },
    [
      T.ConversationTurns,
      T.SearchOperations,
      T.Ground,
      T.LanguageModel,
      T.PoliciesInForce,
      T.IdSource,
      T.Clock,
      T.Logger,
    ],
  );
  bind(T.Extract).toResolvedValue(
    ({ search }, sources, model, policies, ids, log) => {
      const rulesFor = async (tenant: string) => (await policies.at(tenant, 'completion')).compiled;
      return createExtract({ search, sources, model, rulesFor, schemas: schemaCompiler, ids, log });
    },
    [T.SearchOperations, T.SourceOperations, T.LanguageModel, T.PoliciesInForce, T.IdSource, T.Logger],
  );
});
