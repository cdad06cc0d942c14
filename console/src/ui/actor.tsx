import { useQuery } from '@tanstack/react-query';
import type { Actor as Of } from 'knowledger-client';
import { useMay, useMe } from '../may.tsx';
import { useClient } from '../session.ts';
import { words } from '../words.ts';

/**
 * The name of the API key with this id, where the caller may know it: their own, and those that they may list. It is read
 * as of a deed of the key, since a key that is revoked today had its name then.
 *
 * @param deed position of an event that the key has caused; without one it is known only if it was read before
 */
const useKeyName = (id: string, deed: string | undefined): string | undefined => {
  const client = useClient();
  const { data: me } = useMe();
  const may = useMay();
  const isOwn = me?.id === id;
  const { data } = useQuery({
    queryKey: ['static', 'name of key', id],
    enabled: deed !== undefined && !isOwn && may('apikeys:issue'),
    // A key keeps its name, and one that is hidden stays hidden.
    staleTime: Infinity,
    retryOnMount: false,
    queryFn: async ({ signal }) => {
      const query = deed === undefined ? {} : { as_of: deed };
      return (await client.get('/api-keys/{id}', { path: { id }, query, signal })).name;
    },
  });
  return isOwn ? me.name : data;
};

/** Who has caused the event at `position`: by name where it is known, and the id on hover. */
export const Actor = ({
  actor: { kind, id, name },
  position,
}: {
  readonly actor: Of;
  readonly position: string;
}) => {
  const keyName = useKeyName(id, kind === 'api_key' ? position : undefined);
  const anonymous = kind === 'api_key' ? words.events.someKey(id.slice(-6)) : kind.replaceAll('_', ' ');
  return <span title={id}>{name ?? keyName ?? anonymous}</span>;
};

/** Of an id alone: the name, if one of the events that are shown told it. */
export const ActorId = ({ id }: { readonly id: string }) => (
  <span title={id}>{useKeyName(id, undefined) ?? id}</span>
);
