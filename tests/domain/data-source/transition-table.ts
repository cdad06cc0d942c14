import { type DataSourceEvent, type DataSourceState, dataSource } from '../../../domain/data-source/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { refusalOf } from '../../support/decisions.ts';

/** The machine, one row per status, one column per command. `=`: nothing happens. `·`: refused. `404`: not found. */
const TABLE = `
| from \\ command | enqueue | claim | hand_off | begin | progress | complete | fail | retry | exhausted | cancel | cancel_done | delete | delete_done | delete_failed | lost | reconcile |
| (none) | not_started or queued | · | · | · | · | · | · | · | · | 404 | · | 404 | · | · | · | · |
| not_started | queued | · | managed | · | · | · | failure | · | · | canceled | · | deleting | · | · | · | · |
| queued | = | starting | managed | · | · | · | failure | · | · | canceled | · | deleting | · | · | · | · |
| managed | = | · | · | · | managed | success | failure | · | · | canceling | · | deleting | · | · | unknown | · |
| starting | = | · | · | started | · | · | failure | queued | failure | canceling | · | deleting | · | · | · | · |
| started | = | · | · | = | started | success | failure | queued | failure | canceling | · | deleting | · | · | · | · |
| success | queued | · | · | · | · | · | · | · | · | = | · | deleting | · | · | · | · |
| failure | queued | · | · | · | · | · | · | · | · | = | · | deleting | · | · | · | · |
| canceling | · | · | · | · | = | success | canceled | canceled | canceled | = | canceled | deleting | · | · | unknown | · |
| canceled | queued | · | · | · | · | · | · | · | · | = | = | deleting | · | · | · | · |
| unknown | queued | · | · | · | · | · | · | · | · | canceled | · | deleting | · | · | = | managed, success, failure, canceled |
| deleting | · | · | · | · | · | · | · | · | · | · | · | = | (removed) | delete_job_failure | · | · |
| delete_job_failure | · | · | · | · | · | · | · | · | · | · | · | deleting | · | · | · | · |
| (removed) | 404 | · | · | · | · | · | · | · | · | 404 | · | 404 | · | · | · | · |
`;

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const [header = [], ...rows] = TABLE.trim().split('\n').map(cellsOf);

/** From, command, cell. */
export const CELLS = rows.flatMap(([from = '', ...cells]) =>
  cells.map((cell, i) => [from, header[i + 1] ?? '', cell] as const),
);

const BY_NAME = new Map(CELLS.map(([from, command, cell]) => [`${from}/${command}`, cell]));

/** What the table says of a command in a status. */
export const cellAt = (from: string, command: string): string =>
  BY_NAME.get(`${from}/${command}`) ?? 'no such cell';

/** The cell as `outcomeOf` words it: a refusal with its code. */
export const expectedAt = (from: string, command: string, cell: string): string => {
  if (cell === '404') return 'refused: not_found';
  if (cell !== '·') return cell;
  const deleting = from === 'deleting' || from === 'delete_job_failure';
  return command === 'enqueue' && deleting ? 'refused: source_deleting' : 'refused: conflict';
};

/** The row of a state. */
export const rowOf = ({ status }: DataSourceState): string =>
  status === 'none' || status === 'removed' ? `(${status})` : status;

export interface Outcome {
  /** `=`, the next status, or `refused: code`. */
  readonly cell: string;
  readonly types: readonly DataSourceEvent['type'][];
}

/** What a decision came to, in the words of the table. */
export const outcomeOf = (decide: () => readonly DataSourceEvent[], state: DataSourceState): Outcome => {
  let events: readonly DataSourceEvent[] = [];
  const code = refusalOf(() => (events = decide()));
  if (code !== null) return { cell: `refused: ${code}`, types: [] };
  if (events.length === 0) return { cell: '=', types: [] };
  return { cell: rowOf(fold(dataSource, events, state)), types: events.map(({ type }) => type) };
};
