import type { Me } from 'knowledger-client';
import { words } from './words.ts';

type Scope = Me['scopes'][number];

/** What an operation of the API asks of its caller: a scope; `everywhere`: no restriction to source groups either. */
export type Need = Scope | `${Scope} everywhere`;

const any = new Intl.ListFormat('en', { type: 'disjunction' });

/** Why none of the needs is met; null: one is. Where the service does not tell, it refuses by itself. */
export const lacking = (me: Me | undefined, needs: readonly Need[]): string | null => {
  if (me === undefined || needs.length === 0) return null;
  const reasons = needs.map((need) => {
    const [scope, everywhere] = need.split(' ') as [Scope, 'everywhere' | undefined];
    if (!me.scopes.includes(scope)) return scope;
    return everywhere !== undefined && me.source_group_ids !== undefined ? words.may.restricted : null;
  });
  if (reasons.includes(null)) return null;
  if (reasons.includes(words.may.restricted)) return words.may.restricted;
  return words.may.lacks[me.kind](any.format(new Set(reasons as Scope[])));
};
