import type { Caller } from './caller.ts';
import type { GroupScope } from '../ports/catalog.ts';

/** What the key reaches. Documents and their contents need the scope of AccessTo, which a policy may narrow. */
export const scopeOf = ({ tenant, grant }: Caller): GroupScope => ({ tenant, only: grant.sourceGroupIds });
