import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CrawlErrors } from 'knowledger-client';
import type { Kind } from '../../kinds.ts';
import { canRetry } from '../../retry.ts';
import { useClient } from '../../session.ts';
import { Empty, Loaded } from '../../ui/parts.tsx';
import { words } from '../../words.ts';

/** The failed items of the newest job, those of one code together. */
export const Problems = ({ kind, id }: { readonly kind: Kind; readonly id: string }) => {
  const client = useClient();
  const query = useInfiniteQuery({
    queryKey: ['errors', id],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const asked = {
        path: { id },
        query: { limit: 100, ...(pageParam !== '' && { after: pageParam }) },
        signal,
      };
      return (await (
        await client.raw('GET', `${kind.path}/{id}/errors`, asked)
      ).json()) as Partial<CrawlErrors>;
    },
    getNextPageParam: ({ pagination }) => pagination?.next_id,
  });
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const errors = pages.flatMap(({ errors: found = [] }) => found);
        const blocked = pages[0]?.robots_blocked ?? [];
        if (errors.length + blocked.length === 0) return <Empty title={words.source.noProblems} />;
        const byCode = Map.groupBy(errors, ({ code }) => code);
        return (
          <>
            {canRetry(kind.type) && errors.length > 0 && (
              <p className="actions">
                <Link to="/problems" search={{ group: id }} className="button">
                  {words.problems.retryFitting}
                </Link>
              </p>
            )}
            {[...byCode].map(([code, all]) => (
              <section key={code} className="card">
                <h2>
                  {code.replaceAll('_', ' ')} <span className="faint">{all.length}</span>
                </h2>
                <ul className="list">
                  {all.map(({ locator, message }) => (
                    <li key={locator}>
                      <span className="cut" title={locator}>
                        {locator}
                      </span>
                      <span className="reason">{message}</span>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            {query.hasNextPage && (
              <button
                type="button"
                disabled={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {words.actions.more}
              </button>
            )}
            {blocked.length > 0 && (
              <section className="card">
                <h2>{words.source.robots}</h2>
                <ul className="list">
                  {blocked.map((locator) => (
                    <li key={locator}>{locator}</li>
                  ))}
                </ul>
              </section>
            )}
          </>
        );
      }}
    </Loaded>
  );
};
