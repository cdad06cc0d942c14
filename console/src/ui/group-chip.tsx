import { useQuery } from '@tanstack/react-query';
import { useMay } from '../may.tsx';
import { useClient } from '../session.ts';
import { words } from '../words.ts';

/** Names the one source that a page is restricted to, and lifts the restriction. */
export const GroupChip = ({ id, lift }: { readonly id: string; readonly lift: () => void }) => {
  const client = useClient();
  const group = useQuery({
    queryKey: ['source-groups', id],
    enabled: useMay()('knowledge:read'),
    queryFn: ({ signal }) => client.get('/source-groups/{id}', { path: { id }, signal }),
  });
  return (
    <button type="button" className="chip" onClick={lift}>
      {words.problems.source} {group.data?.name} ✕
    </button>
  );
};
