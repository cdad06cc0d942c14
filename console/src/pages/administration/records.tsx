import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Empty, Failure, Loaded } from '../../ui/parts.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { words } from '../../words.ts';

interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly pagination: { readonly has_more: boolean; readonly next_id?: string };
}
export interface ListQuery {
  readonly limit: number;
  readonly after?: string;
}

/** All records of a kind: a table of them, a dialog for each, and one to create another. */
export function Records<Row>({
  name,
  read,
  columns,
  keyOf,
  create,
  empty,
  editor,
}: {
  readonly name: string;
  readonly read: (query: ListQuery, signal: AbortSignal) => Promise<ListPage<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Of the button. */
  readonly create: string;
  readonly empty: { readonly title: string; readonly hint?: string };
  /** Null: of a new record. */
  readonly editor: (row: Row | null, close: () => void) => ReactNode;
}) {
  const [open, setOpen] = useState<{ readonly row: Row | null } | null>(null);
  const query = useInfiniteQuery({
    queryKey: ['administration', name],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      read({ limit: 100, ...(pageParam !== '' && { after: pageParam }) }, signal),
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.next_id : undefined),
  });
  return (
    <>
      <Loaded query={query}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows);
          return (
            <>
              <div className="actions">
                <button type="button" className="main" onClick={() => setOpen({ row: null })}>
                  {create}
                </button>
              </div>
              {rows.length === 0 ? (
                <Empty title={empty.title}>{empty.hint !== undefined && <p>{empty.hint}</p>}</Empty>
              ) : (
                <Rows
                  label={name}
                  rows={rows}
                  columns={columns}
                  keyOf={keyOf}
                  open={(row) => setOpen({ row })}
                  more={
                    query.hasNextPage && !query.isFetchingNextPage
                      ? () => void query.fetchNextPage()
                      : undefined
                  }
                />
              )}
            </>
          );
        }}
      </Loaded>
      {open !== null && editor(open.row, () => setOpen(null))}
    </>
  );
}

/** A request that changes something. What is on the screen is read again behind it. */
export const useChange = () => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'static' }),
  });
};

/** A record in a dialog: its fields, a button that saves them, and one that deletes it where `remove` says how. */
export const Editor = ({
  title,
  submit,
  save,
  remove,
  isIncomplete = false,
  close,
  children,
  behind,
}: {
  readonly title: string;
  readonly submit: string;
  readonly save: () => Promise<unknown>;
  readonly remove?:
    | {
        readonly title: string;
        readonly hint: string;
        readonly action?: string;
        readonly run: () => Promise<unknown>;
      }
    | undefined;
  readonly isIncomplete?: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
  /** Behind the form. */
  readonly behind?: ReactNode;
}) => {
  const [asks, setAsks] = useState(false);
  const change = useChange();
  const act = (run: () => Promise<unknown>): void => change.mutate(run, { onSuccess: close });
  return (
    <Dialog title={title} close={close} wide>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          act(save);
        }}
      >
        {children}
        {change.error !== null && <Failure error={change.error} />}
        <div className="actions">
          {remove !== undefined && (
            <button
              type="button"
              className="danger"
              disabled={change.isPending}
              onClick={() => setAsks(true)}
            >
              {remove.action ?? words.actions.delete}
            </button>
          )}
          <button type="submit" className="main" disabled={change.isPending || isIncomplete}>
            {submit}
          </button>
        </div>
      </form>
      {behind}
      {asks && remove !== undefined && (
        <Confirm
          title={remove.title}
          hint={remove.hint}
          action={remove.action ?? words.actions.delete}
          run={() => act(remove.run)}
          close={() => setAsks(false)}
        />
      )}
    </Dialog>
  );
};

/** A field of JSON. `problem` says why the text is none. */
export const JsonField = ({
  id,
  label,
  text,
  change,
  rows = 10,
}: {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly change: (text: string) => void;
  readonly rows?: number;
}) => {
  const problem = jsonProblem(text);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="code"
        spellCheck={false}
        rows={rows}
        value={text}
        aria-invalid={problem !== null}
        onChange={({ target }) => change(target.value)}
      />
      {problem !== null && <span className="reason">{words.administration.badJson(problem)}</span>}
    </div>
  );
};

export const jsonProblem = (text: string): string | null => {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

export const jsonOf = (value: unknown): string => JSON.stringify(value, null, 2);
