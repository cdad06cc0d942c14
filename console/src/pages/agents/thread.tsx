import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../../session.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { TODAY, useAddress } from '../../ui/address.ts';
import { History, HistoryButton } from '../../ui/history.tsx';
import { Failure, isNotFound, Loaded, Page } from '../../ui/parts.tsx';
import { words } from '../../words.ts';
import { whose } from './run-states.ts';
import { Run } from './run.tsx';
import { Tree } from './tree.tsx';
import './agents.css';

export const ThreadPage = () => {
  const client = useClient();
  const { id } = useParams({ from: '/agents/$id' });
  const { run: asked, principal, at } = useSearch({ from: '/agents/$id' });
  const query = useQuery({
    queryKey: ['thread', id],
    queryFn: ({ signal }) =>
      client.get('/agent/threads/{thread_id}', {
        path: { thread_id: id },
        query: whose(principal),
        signal,
      }),
  });
  const runs = query.data?.runs ?? [];
  const title = runs[0]?.title ?? words.agents.thread;
  const chosen = asked ?? runs.at(-1)?.run_id;
  return (
    <Page
      title={
        <>
          <Link to="/agents" search={{ principal }} className="crumb">
            {words.pages.agents}
          </Link>
          {title}
        </>
      }
      actions={
        !isNotFound(query.error) && (
          <>
            <HistoryButton />
            <Delete id={id} title={title} runs={runs.length} principal={principal} />
          </>
        )
      }
    >
      {at !== undefined || isNotFound(query.error) ? (
        <Past threadId={id} runId={chosen} principal={principal} />
      ) : (
        <Loaded query={query}>
          {() => (
            <div className="thread">
              <Tree threadId={id} runs={runs} chosen={chosen} principal={principal} />
              {chosen !== undefined && (
                <Run
                  key={chosen}
                  id={chosen}
                  principal={principal}
                  isNewest={chosen === runs.at(-1)?.run_id}
                />
              )}
            </div>
          )}
        </Loaded>
      )}
    </Page>
  );
};

/** Of the run in the address, or else of the thread. */
const Past = ({
  threadId,
  runId,
  principal,
}: {
  readonly threadId: string;
  readonly runId: string | undefined;
  readonly principal: string | undefined;
}) => {
  const { asked, set } = useAddress();
  const tabs = [
    { label: words.agents.thread, run: undefined },
    ...(runId === undefined ? [] : [{ label: words.agents.run, run: runId }]),
  ];
  return (
    <>
      <div className="tabs">
        {tabs.map(({ label, run }) => (
          <button
            key={label}
            type="button"
            className="tab"
            aria-pressed={run === asked.run}
            onClick={() => set({ run, at: TODAY })}
          >
            {label}
          </button>
        ))}
      </div>
      {asked.run === undefined ? (
        <History path="/agent/threads/{thread_id}" id={threadId} query={whose(principal)} />
      ) : (
        <History key={asked.run} path="/agent/runs/{run_id}" id={asked.run} query={whose(principal)} />
      )}
    </>
  );
};

const Delete = ({
  id,
  title,
  runs,
  principal,
}: {
  readonly id: string;
  readonly title: string;
  readonly runs: number;
  readonly principal: string | undefined;
}) => {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      client.delete('/agent/threads/{thread_id}', { path: { thread_id: id }, query: whose(principal) }),
    onSuccess: async () => {
      await navigate({ to: '/agents', search: { principal } });
      await queries.invalidateQueries();
    },
  });
  return (
    <>
      <button type="button" className="danger" disabled={remove.isPending} onClick={() => setAsks(true)}>
        {words.agents.delete}
      </button>
      {remove.error !== null && <Failure error={remove.error} />}
      {asks && (
        <Confirm
          title={words.agents.confirmDelete(title)}
          hint={words.agents.deleteHint(runs)}
          action={words.agents.delete}
          run={() => remove.mutate()}
          close={() => setAsks(false)}
        />
      )}
    </>
  );
};
