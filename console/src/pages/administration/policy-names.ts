import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session.ts';

/** The names of the first hundred access policies. */
export const usePolicyNames = (): readonly string[] => {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['administration', 'policy-names'],
    queryFn: ({ signal }) => client.get('/authz-policies', { query: { limit: 100 }, signal }),
  });
  return data?.authz_policies.map(({ name }) => name) ?? [];
};
