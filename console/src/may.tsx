import { useQuery } from '@tanstack/react-query';
import type { Me } from 'knowledger-client';
import type { ReactNode } from 'react';
import { useClient } from './session.ts';
import { words } from './words.ts';

type Scope = Me['scopes'][number];

/** What an operation of the API asks of its caller: a scope; `everywhere`: no restriction to source groups either. */
export type Need = Scope | `${Scope} everywhere`;

/** Every part of a page asks; the service is asked again with every event, which tells of a key that is revoked. */
const FRESH_MS = 60_000;

/** Who the session belongs to. */
export const useMe = () => {
  const client = useClient();
  return useQuery({
    queryKey: ['me'],
    staleTime: FRESH_MS,
    queryFn: ({ signal }) => client.get('/me', { signal }),
  });
};

/** Why none of the needs is met; null: one is. Where the service does not tell, it refuses by itself. */
const lacking = (me: Me | undefined, needs: readonly Need[]): string | null => {
  if (me === undefined || needs.length === 0) return null;
  const reasons = needs.map((need) => {
    const [scope, everywhere] = need.split(' ') as [Scope, 'everywhere' | undefined];
    if (!me.scopes.includes(scope)) return scope;
    return everywhere !== undefined && me.source_group_ids !== undefined ? words.may.restricted : null;
  });
  if (reasons.includes(null)) return null;
  if (reasons.includes(words.may.restricted)) return words.may.restricted;
  return words.may.lacks[me.kind]([...new Set(reasons)].join(' or '));
};

/** Tells whether the caller meets one of the needs. */
export const useMay = (): ((...anyOf: readonly Need[]) => boolean) => {
  const { data } = useMe();
  return (...anyOf) => lacking(data, anyOf) === null;
};

/** Shows its children to whoever meets one of the needs, and to others the reason. */
export const Allowed = ({ to, children }: { readonly to: readonly Need[]; readonly children: ReactNode }) => {
  const reason = lacking(useMe().data, to);
  return reason === null ? children : <p className="failure">{reason}</p>;
};
