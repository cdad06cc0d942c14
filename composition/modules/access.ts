import { Agent } from 'undici';
import { createApiKeyView, createAuthzView } from '../../adapters/postgres/views/access-views.ts';
import { createLifetimes } from '../../adapters/postgres/lifetimes/lifetimes.ts';
import { createRowList } from '../../adapters/postgres/views/row-list.ts';
import type { SecretRow } from '../../application/ports/secrets.ts';
import { createApiKeyOverlay } from '../../adapters/postgres/read-your-writes/overlays.ts';
import { createLastUses } from '../../adapters/postgres/work/last-uses.ts';
import { createRenewalLeases } from '../../adapters/postgres/work/leases.ts';
import { createIdentityProvider } from '../../adapters/oidc/identity-provider.ts';
import { createTokenEndpoint } from '../../adapters/providers/credentials/token-endpoint.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { rs256 } from '../../adapters/system/cipher.ts';
import { createAuthenticate } from '../../application/access/api-keys/authenticate.ts';
import { createApiKeyOperations } from '../../application/access/api-keys/operations.ts';
import { createAccess, unlimitedUnlessTried } from '../../application/access/authz/access.ts';
import { createAuthzPolicyOperations } from '../../application/access/authz/policy-operations.ts';
import { createAuthzSubjectOperations } from '../../application/access/authz/subject-operations.ts';
import { createSignIn } from '../../application/access/people/sign-in.ts';
import { createNoteUse } from '../../application/access/last-uses.ts';
import { createSecretCredentials } from '../../application/access/secrets/credentials.ts';
import { createSecretTexts } from '../../application/access/secrets/stored-value.ts';
import { createSecretOperations } from '../../application/access/secrets/operations.ts';
import { createSecretAttachments } from '../../application/access/secrets/attachments.ts';
import { createOpenPast } from '../../application/history/open-past.ts';
import { createReadChanges } from '../../application/history/record-changes.ts';
import { type Given, provide, token } from '../wiring.ts';
import { CATALOG } from './redaction.ts';
import { CORE } from './core.ts';

const CONNECT_MS = 5_000;

const NEEDS = { core: CORE, catalog: CATALOG };

/**
 * Keys, secrets and the provider credentials that they are exchanged for, and authz policies with their data about
 * principals. With authorization off, policies are still stored, but evaluated only where a request tries one.
 */
const openAccess = ({ core, catalog: { catalog } }: Given<typeof NEEDS>) => {
  const { db, databases, execute, store } = core;
  const commands = { ...core, execute };
  const view = createApiKeyView(db);
  const authz = { ...commands, view: createAuthzView(db), catalog };
  const byPolicy = createAccess(authz);
  // The operator chooses these addresses, so a plain agent connects to them.
  const agent = new Agent({ connect: { timeout: CONNECT_MS }, connections: 8 });
  const history = { ...core, lifetimes: createLifetimes(db) };
  const lastUses = createLastUses(db);
  const noteUse = createNoteUse({ ...core, lastUses });
  const authenticate = createAuthenticate({ ...core, view, noteUse });
  const secretAttachments = createSecretAttachments(commands);
  const { signIn } = core.config;
  const secrets = { ...commands, texts: createSecretTexts(core.vault), lastUses, signer: rs256 };
  return {
    /** What a caller may read: by policy, or everything in the reach of its key. */
    accessTo: core.config.authz ? byPolicy : unlimitedUnlessTried(byPolicy),
    secretAttachments,
    /** Credentials of providers, for connectors. */
    credentials: createSecretCredentials({
      ...secrets,
      noteUse,
      endpoint: createTokenEndpoint(agent),
      // A machine crash must not lose a lease.
      renewals: createRenewalLeases(databases.events.db),
      idle: sleep,
    }),
    operations: {
      authenticate,
      signIn:
        signIn &&
        createSignIn({
          ...commands,
          ...signIn,
          provider: createIdentityProvider({ ...core, ...signIn, dispatcher: agent }),
        }),
      apiKeys: createApiKeyOperations({
        ...commands,
        view,
        lastUses,
        store,
        overlay: createApiKeyOverlay(db),
        clearCache: authenticate.clearCache,
      }),
      secrets: createSecretOperations({
        ...secrets,
        view: createRowList<SecretRow>(db, 'secret'),
        secretAttachments,
      }),
      authzPolicies: createAuthzPolicyOperations(authz),
      authzSubjects: createAuthzSubjectOperations(authz),
      openPast: createOpenPast(history),
      readChanges: createReadChanges(history),
    },
    close: () => agent.destroy(),
  };
};

export const ACCESS = token<ReturnType<typeof openAccess>>('access');
export const accessModule = provide(ACCESS, NEEDS, openAccess);
