import { useInfiniteQuery } from '@tanstack/react-query';
import type { Content } from 'knowledger-client';
import { useMemo, useState } from 'react';
import { useClient } from '../../session.ts';

const LIMIT = 100;

type Part = { readonly after?: string; readonly around?: string };

/**
 * The passages of a document in reading order, from some before the sought one on, with how many stand before them.
 * Another sought one is looked for in those that are there first.
 */
export const usePassages = (id: string, sought: string | undefined) => {
  const client = useClient();
  const [middle, setMiddle] = useState(sought);
  const first: Part = middle === undefined ? {} : { around: middle };
  const query = useInfiniteQuery({
    queryKey: ['contents', id, middle],
    initialPageParam: first,
    queryFn: ({ pageParam, signal }) =>
      client.get('/sources/{id}/contents', {
        path: { id },
        query: { limit: LIMIT, ...pageParam },
        signal,
      }),
    getNextPageParam: ({ pagination: { has_more: more, next_id: after } }): Part | undefined =>
      more && after !== undefined ? { after } : undefined,
    getPreviousPageParam: ({ before, contents }): Part | undefined =>
      before > 0 && contents[0] !== undefined ? { around: contents[0].id } : undefined,
  });
  const pages = query.data?.pages;
  const passages = useMemo(
    // The page around the first one that was there repeats it, and those behind it.
    () =>
      [...new Map(pages?.flatMap(({ contents }) => contents.map((one) => [one.id, one])))].map(
        ([, one]): Content => one,
      ),
    [pages],
  );
  const isThere = sought === undefined || sought === middle || passages.some((one) => one.id === sought);
  if (!isThere) setMiddle(sought);
  return { query, passages, before: pages?.[0]?.before ?? 0 };
};
