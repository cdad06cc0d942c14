import { useInfiniteQuery } from '@tanstack/react-query';
import type { LogEvent, LogPage } from 'knowledger-client';
import type { EventSearch } from '../../router.tsx';
import { useClient } from '../../session.ts';

/** Of a request, from the address of the page. */
export const queryOf = ({
  category,
  types,
  stream,
  stream_prefix: prefix,
  actor,
  trace_id: trace,
  from,
  to,
  where,
}: EventSearch) => ({
  ...(category !== undefined && { category }),
  ...(types !== undefined && { types }),
  ...(stream !== undefined && { stream }),
  ...(prefix !== undefined && { stream_prefix: prefix }),
  ...(actor !== undefined && { actor }),
  ...(trace !== undefined && { trace_id: trace }),
  ...(from !== undefined && { from: Math.floor(Date.parse(from) / 1_000) }),
  ...(to !== undefined && { to: Math.floor(Date.parse(to) / 1_000) }),
  ...(where !== undefined && { where }),
});
export type LogQuery = ReturnType<typeof queryOf>;

/** A part of the list, newest first, and where the parts beside it begin. */
interface Part {
  readonly events: readonly LogEvent[];
  readonly newer: string | undefined;
  readonly older: string | undefined;
}
/** Behind one of these, or at the beginning. */
type Place = Partial<Pick<Part, 'newer' | 'older'>>;

const TOP: Place = {};

/** So many newer events are above the one that an address names. */
const ABOVE = 20;

/** Reads the list from the newest event, or around the event of this position. */
export const useEvents = (filter: LogQuery, isLive: boolean, around: string | undefined) => {
  const client = useClient();
  return useInfiniteQuery({
    // Live, the shell reads it again with each event.
    queryKey: isLive ? ['events', filter] : ['static', 'events', filter, around],
    initialPageParam: TOP,
    queryFn: async ({ pageParam: place, signal }): Promise<Part> => {
      const read = async (order: 'asc' | 'desc', from: string | undefined, limit = 100) => {
        const query = { order, limit, ...filter, ...(from !== undefined && { after_position: from }) };
        const response = await client.raw('GET', '/events', { query, signal });
        const { events, pagination } = (await response.json()) as LogPage;
        return { events, next: pagination.has_more ? pagination.next_id : undefined };
      };
      if (place.newer !== undefined) {
        const { events, next } = await read('asc', place.newer);
        return { events: events.toReversed(), newer: next, older: undefined };
      }
      const above =
        place.older === undefined && around !== undefined ? await read('asc', around, ABOVE) : null;
      const top = above?.events.at(-1)?.position ?? above?.next;
      const { events, next } = await read('desc', place.older ?? top);
      return { events, newer: top === undefined ? undefined : (events[0]?.position ?? top), older: next };
    },
    getNextPageParam: ({ older }) => (older === undefined ? undefined : { older }),
    getPreviousPageParam: ({ newer }) => (newer === undefined ? undefined : { newer }),
  });
};
