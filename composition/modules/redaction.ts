import { createCatalog, createPurgeCatalog } from '../../adapters/postgres/catalog/catalog.ts';
import { createRedactionPolicyView } from '../../adapters/postgres/views/redaction-policy-view.ts';
import { textPatterns } from '../../adapters/system/patterns/text-patterns.ts';
import { createRedactTextFor } from '../../application/redaction/redact-text.ts';
import { createRedactionPolicyOperations } from '../../application/redaction/operations.ts';
import { createPoliciesInForce } from '../../application/redaction/policies-in-force.ts';
import { createRedactedCatalog } from '../../application/redaction/redacted-catalog.ts';
import { createRecentChunkSets } from '../../application/sources/content/recent-chunk-sets.ts';
import { type Given, provide, token } from '../wiring.ts';
import { CORE } from './core.ts';

const NEEDS = { core: CORE };

/** Redaction policies, and the rules in force. */
const openRedaction = ({ core }: Given<typeof NEEDS>) => {
  const view = createRedactionPolicyView(core.db);
  const policies = createPoliciesInForce({ view, patterns: textPatterns, clock: core.clock });
  return {
    policies,
    redactTextFor: createRedactTextFor(policies),
    /** The rules for what agents see. */
    rulesForAgents: async (tenant: string) => (await policies.at(tenant, 'agent')).compiled,
    operations: {
      redactionPolicies: createRedactionPolicyOperations({
        ...core,
        view,
        patterns: textPatterns,
        clearCache: policies.clearCache,
      }),
    },
  };
};

export const REDACTION = token<ReturnType<typeof openRedaction>>('redaction');
export const redactionModule = provide(REDACTION, NEEDS, openRedaction);

const CATALOG_NEEDS = { core: CORE, redaction: REDACTION };

/** The catalog of documents and contents for readers. */
const openCatalog = ({ core: { db }, redaction }: Given<typeof CATALOG_NEEDS>) => ({
  catalog: createRedactedCatalog(createCatalog(db), redaction.policies),
  /** For erasure: unrestricted. */
  purge: createPurgeCatalog(db),
  recentChunkSets: createRecentChunkSets(500),
});

export const CATALOG = token<ReturnType<typeof openCatalog>>('catalog');
export const catalogModule = provide(CATALOG, CATALOG_NEEDS, openCatalog);
