import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AgentRun, AgentRunEvent } from 'knowledger-client';
import { type ReactNode, useState } from 'react';
import { useClient } from '../../session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { duration, shown, STATE_OF_RUN, spoken, summary } from '../../ui/format.ts';
import { Failure, Loaded, Loading, Status, Time } from '../../ui/parts.tsx';
import { words } from '../../words.ts';
import { Answered } from '../search/answer.tsx';
import { useRunEvents } from './run-events.ts';
import { isOver, questionOf, secondsOf, whose } from './run-states.ts';
import { StartRun } from './start-run.tsx';
import { Steps } from './step-list.tsx';
import { stepsOf, tokensOf } from './steps.ts';

export const Run = ({
  id,
  principal,
  isNewest,
}: {
  readonly id: string;
  readonly principal: string | undefined;
  /** Whether its thread goes on from it where nothing else is said. */
  readonly isNewest: boolean;
}) => {
  const client = useClient();
  const { events, isRead, error } = useRunEvents(id, whose(principal));
  const last = events.at(-1);
  // Read anew when its state has changed.
  const query = useQuery({
    queryKey: ['run', id, last?.status],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.get('/agent/runs/{run_id}', { path: { run_id: id }, query: whose(principal), signal }),
  });
  return (
    <section className="run" aria-label={words.agents.run}>
      <Loaded query={query}>
        {(run) => (
          <>
            <Head run={run} principal={principal} isNewest={isNewest} />
            <section className="card">
              <h2>{words.agents.asked}</h2>
              <p className="pre-line">{questionOf(run)}</p>
              <details>
                <summary>{words.agents.input}</summary>
                <pre className="json">{JSON.stringify(run.input, null, 2)}</pre>
              </details>
            </section>
            {error !== null && <Failure error={error} />}
            {isRead || events.length > 0 ? (
              <Progress events={events} isOver={isOver(run.status)}>
                <Outcome run={run} />
              </Progress>
            ) : (
              <Loading />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
};

const Head = ({
  run,
  principal,
  isNewest,
}: {
  readonly run: AgentRun;
  readonly principal: string | undefined;
  readonly isNewest: boolean;
}) => {
  const client = useClient();
  const queries = useQueryClient();
  const [asks, setAsks] = useState<'goOn' | 'restore' | 'instead' | null>(null);
  const cancel = useMutation({
    mutationFn: () =>
      client.post('/agent/runs/{run_id}/cancel', { path: { run_id: run.run_id }, body: whose(principal) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['run', run.run_id] }),
  });
  const goOn = isNewest ? 'goOn' : 'restore';
  const parentRunId = asks === 'instead' ? run.parent_run_id : run.run_id;
  const [created, started, finished] = [run.created_at, run.started_at, run.finished_at].map((time) =>
    time === undefined ? undefined : Date.parse(time),
  );
  return (
    <div className="run-head">
      <div className="facts-line">
        <Status of={STATE_OF_RUN[run.status]} />
        <span>{run.workflow_type}</span>
        <Time at={secondsOf(run.created_at)} exact />
        <span className="faint">
          {created !== undefined && started !== undefined && words.agents.waited(duration(started - created))}
          {started !== undefined &&
            finished !== undefined &&
            `, ${words.agents.ran(duration(finished - started))}`}
        </span>
      </div>
      <div className="actions">
        {!isOver(run.status) && run.status !== 'CANCELLING' && (
          <button type="button" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            {words.agents.cancelRun}
          </button>
        )}
        <button type="button" onClick={() => setAsks('instead')}>
          {words.agents.instead}
        </button>
        {isOver(run.status) && (
          <button type="button" className="main" onClick={() => setAsks(goOn)}>
            {words.agents[goOn]}
          </button>
        )}
      </div>
      {cancel.error !== null && <Failure error={cancel.error} />}
      {asks !== null && (
        <Dialog title={words.agents[asks]} close={() => setAsks(null)} wide>
          <StartRun
            principal={principal}
            like={{ run, parentRunId }}
            message={asks === 'instead' ? questionOf(run) : ''}
            hint={words.agents.hints[asks]}
          />
        </Dialog>
      )}
    </div>
  );
};

/** The steps as they come; of a run that is over, as they were after any of its events. */
const Progress = ({
  events,
  isOver: over,
  children,
}: {
  readonly events: readonly AgentRunEvent[];
  readonly isOver: boolean;
  /** What is shown behind its last event. */
  readonly children: ReactNode;
}) => {
  const [at, setAt] = useState<number | null>(null);
  const until = at ?? events.length;
  const steps = stepsOf(events.slice(0, until));
  const { input_tokens: input, output_tokens: output } = tokensOf(steps);
  const now = events[until - 1];
  const go = (to: number): void => setAt(to === events.length ? null : to);
  const label = now === undefined ? '' : words.agents.replayAt(nameOf(now), until, events.length);
  return (
    <>
      <section className="card" aria-live="polite" aria-busy={!over}>
        <div className="dialog-head">
          <h2>{words.agents.steps}</h2>
          {input + output > 0 && <span className="faint">{words.agents.tokens(input, output)}</span>}
        </div>
        {over && events.length > 1 && (
          <div className="slider">
            <label htmlFor="replay">
              {words.agents.replay}{' '}
              <span className="faint">{at === null ? words.agents.wholeRun : label}</span>
            </label>
            <input
              id="replay"
              type="range"
              min={1}
              max={events.length}
              value={until}
              aria-valuetext={label}
              onChange={({ target }) => go(Number(target.value))}
            />
            <div className="actions">
              <button type="button" disabled={until === 1} onClick={() => go(until - 1)}>
                {words.agents.back}
              </button>
              <button type="button" disabled={until === events.length} onClick={() => go(until + 1)}>
                {words.agents.next}
              </button>
            </div>
          </div>
        )}
        <Steps
          steps={steps}
          isOver={over && at === null}
          now={now === undefined ? 0 : Date.parse(now.time)}
        />
      </section>
      {at === null && children}
    </>
  );
};

const nameOf = (event: AgentRunEvent): string =>
  spoken(event.type === 'RunEmitted' ? event.data.emission.kind.replaceAll('_', ' ') : event.type);

interface Result {
  readonly message?: { readonly content?: string };
  readonly citations?: readonly { readonly number?: number; readonly content_id: string }[];
}

const Outcome = ({ run }: { readonly run: AgentRun }) => {
  const { error } = run;
  if (error !== undefined)
    return (
      <div className="failure" role="alert">
        <p>
          <strong>{words.agents.problems[error.code] ?? error.code.replaceAll('_', ' ')}</strong>
        </p>
        {error.message !== undefined && <p>{error.message}</p>}
        {error.open_tool_calls !== undefined && (
          <p>
            {words.agents.openCalls} {error.open_tool_calls.map(({ tool }) => tool).join(', ')}
          </p>
        )}
      </div>
    );
  if (run.result === undefined) return null;
  const { message, citations = [], ...others } = run.result as Result & Readonly<Record<string, unknown>>;
  const text = message?.content ?? '';
  const ids: (string | undefined)[] = [];
  citations.forEach(({ number, content_id: id }, i) => (ids[(number ?? i + 1) - 1] = id));
  return (
    <section className="card">
      <h2>{words.agents.answer}</h2>
      {text === '' && <p className="faint">{words.agents.noAnswer}</p>}
      <Answered text={text} ids={Array.from(ids)} />
      <dl className="facts">
        {Object.entries(others).map(([name, value]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>{typeof value === 'object' && value !== null ? summary(value) : shown(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};
