import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Allowed, useMay } from '../../may.tsx';
import type { Need } from '../../needs.ts';
import { pastOf, useAddress } from '../../ui/address.ts';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { History, HistoryButton } from '../../ui/history.tsx';
import { List, type ListPage, type ListQuery } from '../../ui/list.tsx';
import { Empty, Failure } from '../../ui/parts.tsx';
import type { Column } from '../../ui/rows.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { words } from '../../words.ts';
import type { FormWords } from '../../words/form-words.ts';

/** All records of a kind: a table of them, a dialog for each with its history, and one to create another. */
export function Records<Row extends object>({
  name,
  path,
  read,
  columns,
  keyOf,
  create,
  needs,
  empty,
  editor,
}: {
  readonly name: string;
  /** Of a record in the API. */
  readonly path: string;
  readonly read: (query: ListQuery, signal: AbortSignal) => Promise<ListPage<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Of the button. */
  readonly create: string;
  /** Of whoever creates one, where more than of whoever reads them. */
  readonly needs?: Need;
  readonly empty: { readonly title: string; readonly hint?: string };
  /** Null: of a new record. */
  readonly editor: (row: Row | null, close: () => void) => ReactNode;
}) {
  const { asked, set } = useAddress();
  const may = useMay();
  const [creates, setCreates] = useState(false);
  const close = (): void => set({ record: undefined, at: undefined });
  return (
    <>
      <List
        name={name}
        of={null}
        read={read}
        columns={columns}
        keyOf={keyOf}
        marked={asked.record}
        open={(one) => set({ record: keyOf(one), at: pastOf(asked.as_of) })}
        opened={(row) => asked.at === undefined && editor(row, close)}
        empty={<Empty title={empty.title}>{empty.hint !== undefined && <p>{empty.hint}</p>}</Empty>}
        tools={
          (needs === undefined || may(needs)) && (
            <button type="button" className="main" onClick={() => setCreates(true)}>
              {create}
            </button>
          )
        }
      />
      {creates && editor(null, () => setCreates(false))}
      {asked.record !== undefined && asked.at !== undefined && (
        <Dialog title={`${name}: ${words.history.show}`} close={close} wide>
          <History path={path} id={asked.record} />
        </Dialog>
      )}
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
  named,
  typed,
  save,
  remove,
  isIncomplete = false,
  needs,
  close,
  children,
  behind,
}: {
  readonly title: string;
  readonly submit: string;
  readonly named: FormWords;
  /** The values of its fields, to be compared with those that it began with. */
  readonly typed: unknown;
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
  /** Of whoever changes it, where more than of whoever reads it. */
  readonly needs?: Need;
  readonly close: () => void;
  readonly children: ReactNode;
  /** Behind the form. */
  readonly behind?: ReactNode;
}) => {
  const may = useMay();
  const mayChange = needs === undefined || may(needs);
  const [asks, setAsks] = useState(false);
  const change = useChange();
  const [first] = useState(() => JSON.stringify(typed));
  const { saved, leave, question } = useUnsaved(JSON.stringify(typed) !== first, words.forms.unsaved);
  const act = (run: () => Promise<unknown>): void =>
    change.mutate(run, {
      onSuccess: () => {
        saved();
        close();
      },
    });
  return (
    <Dialog title={title} close={() => leave(close)} wide>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          act(save);
        }}
      >
        <fieldset disabled={!mayChange} className="bare">
          {children}
        </fieldset>
        {needs !== undefined && <Allowed to={[needs]}>{null}</Allowed>}
        {change.error !== null && <Failure error={change.error} named={named} />}
        <div className="actions">
          {remove !== undefined && <HistoryButton />}
          {mayChange && remove !== undefined && (
            <button
              type="button"
              className="danger"
              disabled={change.isPending}
              onClick={() => setAsks(true)}
            >
              {remove.action ?? words.actions.delete}
            </button>
          )}
          {mayChange && (
            <button type="submit" className="main" disabled={change.isPending || isIncomplete}>
              {submit}
            </button>
          )}
        </div>
      </form>
      {behind}
      {question}
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
