import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { lacking, type Need } from './needs.ts';
import { useClient } from './session.ts';

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

/** Tells whether the caller meets one of the needs. */
export const useMay = (): ((...anyOf: readonly Need[]) => boolean) => {
  const { data } = useMe();
  return (...anyOf) => lacking(data, anyOf) === null;
};

/** Shows its children to whoever meets one of the needs, and to others the reason. */
export const Allowed = ({ to, children }: { readonly to: readonly Need[]; readonly children: ReactNode }) => {
  const reason = lacking(useMe().data, to);
  return reason === null ? children : <p className="failure partial">{reason}</p>;
};
