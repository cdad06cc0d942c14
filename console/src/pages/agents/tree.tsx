import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { KeyboardEvent } from 'react';
import { useClient } from '../../session.ts';
import { briefly, STATE_OF_RUN } from '../../ui/format.ts';
import { Status, Time } from '../../ui/parts.tsx';
import { words } from '../../words.ts';
import { placedRuns, type RunNode } from './placed-runs.ts';
import { questionOf, secondsOf, whose } from './run-states.ts';

const [ROW, LANE, EDGE] = [48, 18, 14];
const yOf = (row: number): number => row * ROW + ROW / 2;

interface Place {
  readonly row: number;
  readonly lane: number;
}

/** All runs of a thread with the lines between them; the arrows move from one to the next. */
export const Tree = ({
  threadId,
  runs,
  chosen,
  principal,
}: {
  readonly threadId: string;
  readonly runs: readonly RunNode[];
  readonly chosen: string | undefined;
  readonly principal: string | undefined;
}) => {
  const rows = placedRuns(runs);
  const firsts = rows.flatMap(({ from }, row) => (from === null ? [row] : []));
  // What several first runs branch from is the thread, in a lane of its own.
  const xOf = (lane: number): number => EDGE + (firsts.length > 1 ? lane + 1 : lane) * LANE;
  const width = xOf(Math.max(0, ...rows.map(({ lane }) => lane))) + EDGE;
  const lineOf = (from: Place, to: Place): string => {
    const [x1, y1, x2, y2] = [xOf(from.lane), yOf(from.row), xOf(to.lane), yOf(to.row)];
    if (x1 === x2) return `M${x1} ${y1}V${y2}`;
    return `M${x1} ${y1}C${x1} ${y1 + ROW / 2} ${x2} ${y1} ${x2} ${y1 + ROW / 2}V${y2}`;
  };
  const move = (event: KeyboardEvent<HTMLAnchorElement>): void => {
    const item = event.currentTarget.parentElement;
    const to =
      event.key === 'ArrowDown'
        ? item?.nextElementSibling
        : event.key === 'ArrowUp'
          ? item?.previousElementSibling
          : null;
    if (to === null || to === undefined) return;
    event.preventDefault();
    to.querySelector<HTMLElement>('a')?.focus();
  };
  return (
    <nav className="tree card" aria-label={words.agents.tree}>
      <svg width={width} height={rows.length * ROW} aria-hidden="true">
        {firsts.length > 1 && (
          <path
            d={[
              `M${EDGE} ${yOf(firsts[0]!)}V${yOf(firsts.at(-1)!)}`,
              ...firsts.map((row) => `M${EDGE} ${yOf(row)}H${xOf(0)}`),
            ].join('')}
          />
        )}
        {rows.map(
          ({ run, lane, from }, row) =>
            from !== null && <path key={run.run_id} d={lineOf(from, { row, lane })} />,
        )}
        {rows.map(({ run, lane }, row) => (
          <circle
            key={run.run_id}
            cx={xOf(lane)}
            cy={yOf(row)}
            r={run.run_id === chosen ? 7 : 5}
            className={`dot dot-${STATE_OF_RUN[run.status]}`}
          />
        ))}
      </svg>
      <ol style={{ paddingLeft: width }}>
        {rows.map(({ run }, row) => (
          <li key={run.run_id} style={{ height: ROW }}>
            <Link
              to="/agents/$id"
              params={{ id: threadId }}
              search={{ run: run.run_id, principal }}
              aria-current={run.run_id === chosen ? 'true' : undefined}
              onKeyDown={move}
            >
              <span className="cut">
                {run.title ?? <Asked runId={run.run_id} principal={principal} isNear={row < 50} />}
              </span>
              <span className="tree-line">
                <Status of={STATE_OF_RUN[run.status]} /> <Time at={secondsOf(run.created_at)} />
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
};

/** What a run without title was asked: read once, for the first runs of a thread alone. */
const Asked = ({
  runId,
  principal,
  isNear,
}: {
  readonly runId: string;
  readonly principal: string | undefined;
  readonly isNear: boolean;
}) => {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['static', 'asked', runId],
    staleTime: Infinity,
    enabled: isNear,
    queryFn: async ({ signal }) => {
      const run = await client.get('/agent/runs/{run_id}', {
        path: { run_id: runId },
        query: whose(principal),
        signal,
      });
      return questionOf(run) || briefly(secondsOf(run.created_at));
    },
  });
  return data ?? words.agents.untitled;
};
