import { ContainerModule } from 'inversify';
import { createAuthzView } from '../../adapters/postgres/views/authz-view.ts';
import { createAccess, unlimitedAccess } from '../../application/access/authz/access.ts';
import { createAuthzPolicyOperations } from '../../application/access/authz/policy-operations.ts';
import { createAuthzSubjectOperations } from '../../application/access/authz/subject-operations.ts';
import type { Config } from '../config.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** Authz policies and what they know of principals. They are kept with authorization off, too, and then not asked. */
export const authzModule = ({ authz }: Pick<Config, 'authz'>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    const events = { execute: T.Execute, hash: T.Hash } as const;
    provide(T.AuthzView, ({ db }) => createAuthzView(db), { db: T.Db });
    if (authz) provide(T.AccessTo, createAccess, { ...events, catalog: T.Catalog });
    else bind(T.AccessTo).toConstantValue(unlimitedAccess);
    const commands = { ...events, clock: T.Clock, view: T.AuthzView } as const;
    provide(T.AuthzPolicyOperations, createAuthzPolicyOperations, {
      ...commands,
      ids: T.IdSource,
      catalog: T.Catalog,
    });
    provide(T.AuthzSubjectOperations, createAuthzSubjectOperations, commands);
  });
