import { ContainerModule } from 'inversify';
import { textPatterns } from '../../adapters/patterns/text-patterns.ts';
import { createRedactionPolicyView } from '../../adapters/postgres/views/redaction-policy-view.ts';
import { createRedactionPolicyOperations } from '../../application/redaction/operations.ts';
import { createHidingFor } from '../../application/redaction/hiding.ts';
import { createPoliciesInForce } from '../../application/redaction/policies-in-force.ts';
import { TOKENS as T } from '../tokens.ts';

/** Redaction policies, and what is in force of them. */
export const redactionModule = new ContainerModule(({ bind }) => {
  bind(T.TextPatterns).toConstantValue(textPatterns);
  bind(T.RedactionPolicyView).toResolvedValue(({ db }) => createRedactionPolicyView(db), [T.Database]);
  bind(T.PoliciesInForce).toResolvedValue(
    (view, patterns, clock) => createPoliciesInForce({ view, patterns, clock }),
    [T.RedactionPolicyView, T.TextPatterns, T.Clock],
  );
  bind(T.HidingFor).toResolvedValue(createHidingFor, [T.PoliciesInForce]);
  bind(T.RedactionPolicyOperations).toResolvedValue(
    (execute, ids, hash, clock, view, patterns, marks, { forget }) =>
      createRedactionPolicyOperations({ execute, ids, hash, clock, view, patterns, marks, forget }),
    [
      T.Execute,
      T.IdSource,
      T.Hash,
      T.Clock,
      T.RedactionPolicyView,
      T.TextPatterns,
      T.RowMarks,
      T.PoliciesInForce,
    ],
  );
});
