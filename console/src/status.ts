import { useQuery } from '@tanstack/react-query';
import { useClient } from './session.ts';

/** Ages grow also while nothing happens. */
const AGAIN_MS = 10_000;

/** What the service tells of itself, read again with every event and from time to time. */
export const useStatus = () => {
  const client = useClient();
  return useQuery({
    queryKey: ['status'],
    refetchInterval: AGAIN_MS,
    queryFn: ({ signal }) => client.get('/status', { signal }),
  });
};
