import { ContainerModule } from 'inversify';
import { textPatterns } from '../../adapters/system/patterns/text-patterns.ts';
import { createRedactionPolicyView } from '../../adapters/postgres/views/redaction-policy-view.ts';
import { createRedactionPolicyOperations } from '../../application/redaction/operations.ts';
import { createHidingFor } from '../../application/redaction/hiding.ts';
import { createPoliciesInForce } from '../../application/redaction/policies-in-force.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** Redaction policies, and what is in force of them. */
export const redactionModule = new ContainerModule(({ bind }) => {
  const provide = providing(bind);
  bind(T.TextPatterns).toConstantValue(textPatterns);
  provide(T.RedactionPolicyView, ({ db }) => createRedactionPolicyView(db), { db: T.Db });
  const policies = { view: T.RedactionPolicyView, patterns: T.TextPatterns, clock: T.Clock } as const;
  provide(T.PoliciesInForce, createPoliciesInForce, policies);
  provide(T.HidingFor, ({ inForce }) => createHidingFor(inForce), { inForce: T.PoliciesInForce });
  provide(
    T.RedactionPolicyOperations,
    ({ inForce, ...deps }) => createRedactionPolicyOperations({ ...deps, forget: inForce.forget }),
    {
      ...policies,
      execute: T.Execute,
      ids: T.IdSource,
      hash: T.Hash,
      marks: T.RowMarks,
      inForce: T.PoliciesInForce,
    },
  );
});
