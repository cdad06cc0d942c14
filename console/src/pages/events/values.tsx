import type { LogEvent } from 'knowledger-client';
import type { EventSearch } from '../../router.tsx';
import { dotted, inWords, shown } from '../../ui/format.ts';
import { words } from '../../words.ts';

type Change = Readonly<Record<string, string | undefined>>;
export type SetFilter = (change: Change) => void;
type Where = Readonly<Record<string, unknown>>;

/** The values that an address asks for, by their JSON Pointers (RFC 6901). The service refuses what is none. */
export const whereOf = ({ where = '{}' }: Pick<EventSearch, 'where'>): Where => {
  try {
    return Object(JSON.parse(where)) as Where;
  } catch {
    return {};
  }
};
const withWhere = (where: Where): Change => ({
  where: Object.keys(where).length === 0 ? undefined : JSON.stringify(where),
});
export const withoutValue = (asked: EventSearch, pointer: string): Change => {
  const { [pointer]: _, ...rest } = whereOf(asked);
  return withWhere(rest);
};

/** Of a value: `/data/job_id` is `job_id`. */
export const nameOf = (pointer: string): string => dotted(pointer.replace(/^\/data(?=\/)/, ''));

/** The filters that the log has an index for. */
const INDEXED: Readonly<Record<string, string>> = {
  '/type': 'types',
  '/stream': 'stream',
  '/actor/id': 'actor',
  '/trace_id': 'trace_id',
};

/** What shows only events with this value. */
export const withValue = (asked: EventSearch, pointer: string, value: unknown): Change => {
  if (pointer === '/time') {
    const moment = (seconds: number): string => new Date(seconds * 1_000).toISOString();
    return { from: moment(value as number), to: moment((value as number) + 1) };
  }
  const name = INDEXED[pointer];
  if (name !== undefined && typeof value === 'string' && value !== '') return { [name]: value };
  return withWhere({ ...whereOf(asked), [pointer]: value });
};

type Value = readonly [pointer: string, value: unknown];

const valuesOf = (value: unknown, pointer: string): readonly Value[] =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([name, inner]) =>
        valuesOf(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
      )
    : [[pointer, value]];

/** Each value of a part of an event, as a button that filters by it. The place in the log is no such value. */
export const Values = ({
  part,
  at,
  asked,
  set,
}: {
  readonly part: Partial<LogEvent> | LogEvent['data'];
  /** The JSON Pointer of the part. */
  readonly at: string;
  readonly asked: EventSearch;
  readonly set: SetFilter;
}) => (
  <ul className="values">
    {valuesOf(part, at).map(([pointer, value]) => {
      const text = shown(value);
      const meaning = inWords(pointer, value);
      return (
        <li key={pointer}>
          <code>{nameOf(pointer)}</code>{' '}
          {pointer === at || pointer === '/position' ? (
            <span>{text}</span>
          ) : (
            <button
              type="button"
              className="link"
              title={words.events.onlyThis}
              onClick={(event) => {
                event.stopPropagation();
                set(withValue(asked, pointer, value));
              }}
            >
              {text === '' ? '""' : text}
            </button>
          )}
          {meaning !== text && <span className="faint"> {meaning}</span>}
        </li>
      );
    })}
  </ul>
);
