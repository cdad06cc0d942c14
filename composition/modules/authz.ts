import { ContainerModule } from 'inversify';
import { createAuthzView } from '../../adapters/postgres/views/authz-view.ts';
import { createAccess, unlimitedAccess } from '../../application/authz/access.ts';
import { createAuthzPolicyOperations } from '../../application/authz/policy-operations.ts';
import { createAuthzSubjectOperations } from '../../application/authz/subject-operations.ts';
import { TOKENS as T } from '../tokens.ts';

/** Authz policies and what they know of principals. They are kept with authorization off, too, and then not asked. */
export const authzModule = new ContainerModule(({ bind }) => {
  bind(T.AuthzView).toResolvedValue(({ db }) => createAuthzView(db), [T.Database]);
  bind(T.AccessTo).toResolvedValue(
    ({ authz }, store, codec, hash, catalog) =>
      authz ? createAccess({ store, codec, hash, catalog }) : unlimitedAccess,
    [T.Config, T.EventStore, T.EventCodec, T.Hash, T.Catalog],
  );
  bind(T.AuthzPolicyOperations).toResolvedValue(
    (execute, ids, hash, clock, store, codec, view, catalog) =>
      createAuthzPolicyOperations({ execute, ids, hash, clock, store, codec, view, catalog }),
    [T.Execute, T.IdSource, T.Hash, T.Clock, T.EventStore, T.EventCodec, T.AuthzView, T.Catalog],
  );
  bind(T.AuthzSubjectOperations).toResolvedValue(
    (execute, hash, clock, store, codec, view) =>
      createAuthzSubjectOperations({ execute, hash, clock, store, codec, view }),
    [T.Execute, T.Hash, T.Clock, T.EventStore, T.EventCodec, T.AuthzView],
  );
});
