import { Agent } from 'undici';
import { createApiKeyView, createAuthzView } from '../../adapters/postgres/views/access-views.ts';
import { createSecretView } from '../../adapters/postgres/views/secret-view.ts';
import { createApiKeyOverlay } from '../../adapters/postgres/read-your-writes/overlays.ts';
import { createRenewalLeases, createSecretUsage } from '../../adapters/postgres/work/leases.ts';
import { createTokenEndpoint } from '../../adapters/providers/credentials/token-endpoint.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { rs256 } from '../../adapters/system/cipher.ts';
import { createAuthenticate } from '../../application/access/api-keys/authenticate.ts';
import { createApiKeyOperations } from '../../application/access/api-keys/operations.ts';
import { createAccess, unlimitedAccess } from '../../application/access/authz/access.ts';
import { createAuthzPolicyOperations } from '../../application/access/authz/policy-operations.ts';
import { createAuthzSubjectOperations } from '../../application/access/authz/subject-operations.ts';
import { createSecretCredentials } from '../../application/access/secrets/credentials.ts';
import { createSecretTexts } from '../../application/access/secrets/stored-value.ts';
import { createSecretOperations } from '../../application/access/secrets/operations.ts';
import { createSecretUses } from '../../application/access/secrets/uses.ts';
import { createAuditOperations } from '../../application/audit/operations.ts';
import { type Given, provide, token } from '../wiring.ts';
import { CATALOG, REDACTION } from './redaction.ts';
import { CORE } from './core.ts';

const CONNECT_MS = 5_000;

const NEEDS = { core: CORE, redaction: REDACTION, catalog: CATALOG };

/**
 * Keys, secrets and what providers give in exchange for them, authz policies and what they know of principals. The
 * policies are kept with authorization off, too, and then not asked.
 */
const openAccess = ({ core, redaction, catalog: { catalog } }: Given<typeof NEEDS>) => {
  const { db, databases, execute, store } = core;
  const commands = { ...core, execute };
  const view = createApiKeyView(db);
  const authenticate = createAuthenticate({ ...core, view });
  const authz = { ...commands, view: createAuthzView(db), catalog };
  // Their places are the operator's: the agent is a plain one.
  const agent = new Agent({ connect: { timeout: CONNECT_MS }, connections: 8 });
  const usage = createSecretUsage(db);
  const uses = createSecretUses(commands);
  const secrets = { ...commands, texts: createSecretTexts(core.vault), usage, signer: rs256 };
  return {
    /** What a caller may read: by policy, or all that its key reaches. */
    accessTo: core.config.authz ? createAccess(authz) : unlimitedAccess,
    secretUses: uses,
    /** For connectors: what to ask a provider with. */
    credentials: createSecretCredentials({
      ...secrets,
      endpoint: createTokenEndpoint(agent),
      // A lease must not be forgotten by a crash of the machine.
      renewals: createRenewalLeases(databases.events.db),
      idle: sleep,
    }),
    operations: {
      authenticate,
      apiKeys: createApiKeyOperations({
        ...commands,
        view,
        store,
        overlay: createApiKeyOverlay(db),
        forget: authenticate.forget,
      }),
      secrets: createSecretOperations({ ...secrets, view: createSecretView(db), uses }),
      authzPolicies: createAuthzPolicyOperations(authz),
      authzSubjects: createAuthzSubjectOperations(authz),
      events: createAuditOperations({ feed: core.feed, redactTextFor: redaction.redactTextFor }),
    },
    close: () => agent.destroy(),
  };
};

export const ACCESS = token<ReturnType<typeof openAccess>>('access');
export const accessModule = provide(ACCESS, NEEDS, openAccess);
