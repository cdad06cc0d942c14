import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams, useSearch } from '@tanstack/react-router';
import { useClient } from '../session.ts';
import { Failure } from '../ui/parts.tsx';

/** The address of a document that answers elsewhere cite, which know no source group: leads to it. */
export const DocumentLink = () => {
  const { id } = useParams({ from: '/documents/$id' });
  const { at } = useSearch({ from: '/documents/$id' });
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ['static', 'document link', id, at],
    queryFn: ({ signal }) =>
      client.get('/sources/{id}', { path: { id }, query: at === undefined ? {} : { as_of: at }, signal }),
  });
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return null;
  const params = { type: data.source_type, id: data.source_group_id };
  return (
    <Navigate
      to="/sources/$type/$id"
      params={params}
      search={{ tab: 'documents', document: id, at }}
      replace
    />
  );
};
