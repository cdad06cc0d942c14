import { useMutation } from '@tanstack/react-query';
import { canRetry, type Failed, retry } from '../retry.ts';
import { useClient } from '../session.ts';
import { words } from '../words.ts';
import { Failure } from './parts.tsx';
import type { Column } from './rows.tsx';

/** Has sources read failed items again. */
export const useTryAgain = () => {
  const client = useClient();
  return useMutation({ mutationFn: (items: readonly Failed[]) => retry(client, items) });
};
type Trying = ReturnType<typeof useTryAgain>;

/** A button for each row that has failed and can be read again. */
export const tryAgainColumn = <Row extends Failed>(
  again: Trying,
  hasFailed: (row: Row) => boolean = () => true,
): Column<Row> => ({
  title: words.problems.retry,
  width: '6.5rem',
  cell: (row) =>
    hasFailed(row) &&
    canRetry(row.source_type) && (
      <button
        type="button"
        className="chip"
        onClick={(event) => {
          event.stopPropagation();
          again.mutate([row]);
        }}
      >
        {words.problems.retry}
      </button>
    ),
});

/** How many items are tried again, and why others are not. */
export const Tried = ({ again: { error, data } }: { readonly again: Trying }) => (
  <>
    {error !== null && <Failure error={error} />}
    {data !== undefined && <p role="status">{words.problems.retried(data.accepted)}</p>}
    {data?.refusals.map((refusal, i) => (
      <Failure key={i} error={refusal} />
    ))}
  </>
);
