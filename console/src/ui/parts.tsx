import { KnowledgerError } from 'knowledger-client';
import { type ReactNode, useEffect, useRef } from 'react';
import { words } from '../words.ts';
import type { FormWords } from '../words/form-words.ts';
import { ago, asPlanned, briefly, inUtc, inZone } from './format.ts';
import { withLabel } from './with-label.ts';

/** A moment, in words; the exact one in the zone of the viewer and in UTC on hover. */
export const Time = ({
  at,
  exact = false,
}: {
  readonly at: number | undefined;
  /** `planned`: with its weekday and its zone. */
  readonly exact?: boolean | 'planned';
}) =>
  at === undefined ? (
    <span>{words.time.never}</span>
  ) : (
    <time dateTime={new Date(at * 1_000).toISOString()} title={`${inZone(at)}\n${inUtc(at)}`}>
      {exact === 'planned' ? asPlanned(at) : exact ? briefly(at) : ago(at)}
    </time>
  );

export const Status = ({ of }: { readonly of: string }) => (
  <span className={`status status-${of}`}>{words.status[of] ?? of}</span>
);

export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="empty">
    <p className="empty-title">{title}</p>
    {children}
  </div>
);

export const isNotFound = (error: unknown): boolean =>
  error instanceof KnowledgerError && error.status === 404;

/** A failure with its type, so that support can be asked, and what to do. */
export const Failure = ({
  error,
  again,
  named = {},
}: {
  readonly error: unknown;
  readonly again?: () => void;
  /** Of the form that was refused. */
  readonly named?: FormWords;
}) => {
  const known = error instanceof KnowledgerError;
  // What `fetch` throws where nobody answers.
  const isAway = error instanceof TypeError;
  const message = isAway ? words.errors.away : withLabel((error as Error).message, named);
  const box = useRef<HTMLDivElement>(null);
  // What a form was refused for stands at its end, which may lie below the edge of a dialog.
  useEffect(() => {
    if (box.current?.matches('form *') === true) box.current.scrollIntoView({ block: 'nearest' });
  }, [error]);
  return (
    <div className="failure" role="alert" ref={box}>
      <p>
        <strong>{known && error.status === 403 ? words.errors.forbidden : message}</strong>
      </p>
      {known && <p className="faint">{error.status === 403 ? error.message : error.type}</p>}
      {again !== undefined && !(known && error.status === 403) && (
        <button type="button" onClick={again}>
          {words.actions.reload}
        </button>
      )}
    </div>
  );
};

export const Loading = () => <div className="loading" role="status" aria-label={words.time.loading} />;

/** A part of a page that comes from the service: its data, why it does not come, or that it is on its way. */
export function Loaded<Data>({
  query,
  children,
}: {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly children: (data: NonNullable<Data>) => ReactNode;
}) {
  if (query.data !== undefined && query.data !== null) return children(query.data);
  if (query.error !== null) return <Failure error={query.error} again={() => void query.refetch()} />;
  return <Loading />;
}

export const Page = ({
  title,
  actions,
  children,
}: {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) => (
  <div className="page">
    <div className="page-head">
      <h1>{title}</h1>
      {actions !== undefined && <div className="actions">{actions}</div>}
    </div>
    {children}
  </div>
);

export const Card = ({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) => (
  <section className="card">
    <h2>{title}</h2>
    {children}
  </section>
);
