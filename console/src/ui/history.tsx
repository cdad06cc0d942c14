import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RecordChanges } from 'knowledger-client';
import { useMay } from '../may.tsx';
import { useClient } from '../session.ts';
import { words } from '../words.ts';
import { pastOf, TODAY, useAddress } from './address.ts';
import { Actor } from './actor.tsx';
import { dotted, inWords, inZone, spoken } from './format.ts';
import { Card, isNotFound, Loaded, Time } from './parts.tsx';
import { TimeSlider } from './time-slider.tsx';

type Change = RecordChanges['changes'][number];
type Json = Readonly<Record<string, unknown>>;

/** A record that the API can rewind. */
export interface Rewindable {
  /** In the API, such as `/tags/{id}`. */
  readonly path: string;
  readonly id: string;
  /** On whose behalf it is read. */
  readonly query?: { readonly principal_id?: string };
}

/** Reads the record, or below it its changes. */
const useRead = ({ path, id, query }: Rewindable) => {
  const client = useClient();
  const name = path.slice(path.lastIndexOf('{') + 1, -1);
  return async (below: string, more: Readonly<Record<string, string | number>>, signal: AbortSignal) => {
    const asked = { path: { [name]: id }, query: { ...query, ...more }, signal };
    return (await (await client.raw('GET', path + below, asked)).json()) as unknown;
  };
};

const orNone = (answer: Promise<unknown>): Promise<{ readonly record: Json | null }> =>
  answer.then(
    (record) => ({ record: record as Json }),
    (error: unknown) => {
      if (isNotFound(error)) return { record: null };
      throw error;
    },
  );

/** The change after which the record was as at `moment`; -1 before the first one. */
const indexOf = (changes: readonly Change[], moment: string | undefined): number => {
  if (moment !== undefined && /^\d{4}-/.test(moment))
    return changes.findLastIndex(({ time }) => time <= Date.parse(moment) / 1_000);
  const index = changes.findIndex(({ position }) => position === moment);
  return index === -1 ? changes.length : index;
};

/** All that is known of the record, also of one that is gone; a failure with the status 404 where there never was one. */
export const useChanges = (record: Rewindable, { enabled = true } = {}) => {
  const read = useRead(record);
  return useQuery({
    queryKey: ['changes', record.path, record.id],
    enabled,
    queryFn: async ({ signal }) => {
      const all: Change[] = [];
      for (let after: string | undefined; ;) {
        const query = { limit: 100, ...(after !== undefined && { after }) };
        const page = (await read('/changes', query, signal)) as RecordChanges;
        all.push(...page.changes);
        if (!page.pagination.has_more) return all;
        after = page.pagination.next_id;
      }
    },
  });
};

/**
 * The record at any of its events: the slider moves from one to the next, and what differs from today is marked. The
 * address holds the moment as `at`: the position of a change, or a time.
 */
export const History = (record: Rewindable) => {
  const { asked, set } = useAddress();
  const moment = pastOf(asked.at);
  const changes = useChanges(record);
  return (
    <Loaded query={changes}>
      {(all) => {
        const index = indexOf(all, moment);
        const now = all[index];
        const go = (to: number): void => set({ at: all[to]?.position ?? TODAY });
        return (
          <div className="history">
            <TimeSlider
              max={all.length}
              value={Math.max(0, index)}
              change={go}
              label={(stop) => {
                const time = all[stop]?.time;
                return time !== undefined && <strong>{inZone(time)}</strong>;
              }}
              text={(stop) => {
                const at = all[stop];
                return at === undefined
                  ? words.history.today
                  : words.history.event(spoken(at.type), stop + 1, all.length);
              }}
            />
            {moment !== undefined && index < all.length && (
              <Past record={record} moment={moment} later={all.slice(index + 1)} />
            )}
            <Card title={words.history.changes}>
              <ol className="changes">
                {all
                  .map((change, i) => (
                    <li key={change.position} className={change === now ? 'marked' : ''}>
                      <div className="change-head">
                        <button type="button" className="link" onClick={() => go(i)}>
                          {spoken(change.type)}
                        </button>
                        <span className="faint">
                          <Time at={change.time} exact />, <Actor {...change} /> <EventLink {...change} />
                        </span>
                      </div>
                      <Fields fields={change.fields} />
                    </li>
                  ))
                  .toReversed()}
              </ol>
            </Card>
          </div>
        );
      }}
    </Loaded>
  );
};

/** Opens the history of the record on the page, and closes it. */
export const HistoryButton = () => {
  const { asked, set } = useAddress();
  return (
    <button
      type="button"
      aria-pressed={asked.at !== undefined}
      onClick={() => set({ at: asked.at === undefined ? TODAY : undefined })}
    >
      {words.history.show}
    </button>
  );
};

const EventLink = ({ type, position }: Pick<Change, 'type' | 'position'>) =>
  useMay()('audit:read everywhere') && (
    <Link to="/events" search={{ event: position }} title={spoken(type)}>
      {words.history.open}
    </Link>
  );

const ChangeLink = ({ type, position }: Pick<Change, 'type' | 'position'>) =>
  useMay()('audit:read everywhere') ? (
    <Link to="/events" search={{ event: position }}>
      {spoken(type)}
    </Link>
  ) : (
    spoken(type)
  );

const Fields = ({ fields }: { readonly fields: Change['fields'] }) => (
  <ul className="diff">
    {fields.flatMap(({ path, before, after }) => {
      const [old, fresh] = [flat(before, dotted(path)), flat(after, dotted(path))];
      return pathsOf(old, fresh).map((name) => (
        <li key={name}>
          <code>{name}</code>
          {old.has(name) && <del>{old.get(name)}</del>}
          {old.has(name) && fresh.has(name) && <span aria-hidden="true">→</span>}
          {fresh.has(name) && <ins>{fresh.get(name)}</ins>}
        </li>
      ));
    })}
  </ul>
);

const Past = ({
  record,
  moment,
  later,
}: {
  readonly record: Rewindable;
  readonly moment: string;
  /** The changes since. */
  readonly later: readonly Change[];
}) => {
  const read = useRead(record);
  const then = useQuery({
    queryKey: ['static', 'past', record.path, record.id, moment],
    queryFn: ({ signal }) => orNone(read('', { as_of: moment }, signal)),
    placeholderData: keepPreviousData,
  });
  const now = useQuery({
    queryKey: ['record', 'whole', record.path, record.id],
    queryFn: ({ signal }) => orNone(read('', {}, signal)),
  });
  return (
    <Card title={words.history.rewound}>
      <Loaded query={then}>
        {({ record: past }) => {
          if (past === null) return <p>{words.history.notYet}</p>;
          const { deleted_at: _, ...rest } = past;
          const [before, today] = [flat(rest), flat(now.data?.record ?? undefined)];
          return (
            <>
              {now.data?.record === null && <p className="failure">{words.history.deletedSince}</p>}
              <table className="compare">
                <thead>
                  <tr>
                    <th scope="col">{words.history.field}</th>
                    <th scope="col">{words.history.past}</th>
                    <th scope="col">{words.history.today}</th>
                    <th scope="col">{words.history.changedBy}</th>
                  </tr>
                </thead>
                <tbody>
                  {pathsOf(before, today).map((path) => {
                    const differs = before.get(path) !== today.get(path);
                    const changes = differs ? later.filter(({ fields }) => touches(fields, path)) : [];
                    const [first, last] = [changes[0], changes.at(-1)];
                    return (
                      <tr key={path} className={differs ? 'differs' : ''}>
                        <th scope="row">{path}</th>
                        <td>{before.get(path) ?? words.time.never}</td>
                        <td>{today.get(path) ?? words.time.never}</td>
                        <td>
                          {last !== undefined && <ChangeLink {...last} />}
                          {first !== undefined && first !== last && (
                            <span className="faint">
                              {' '}
                              {words.history.firstChangedBy} <ChangeLink {...first} />
                            </span>
                          )}
                        </td>
                      </tr>
                    );
                  })}
                </tbody>
              </table>
            </>
          );
        }}
      </Loaded>
    </Card>
  );
};

/** Whether one of the fields is at `path`, above it, or below. */
const touches = (fields: Change['fields'], path: string): boolean =>
  fields.some(({ path: pointer }) => {
    const changed = dotted(pointer);
    return changed === '' || `${path}.`.startsWith(`${changed}.`) || changed.startsWith(`${path}.`);
  });

/** The values of a record by their paths. Lists of plain values stay whole. */
const flat = (value: unknown, path = ''): ReadonlyMap<string, string> => {
  if (value === undefined) return new Map();
  const isPlain = typeof value !== 'object' || value === null;
  const members = isPlain ? [] : Object.entries(value);
  if (members.length === 0 || (Array.isArray(value) && value.every((one) => typeof one !== 'object')))
    return new Map([[path, inWords(path, value)]]);
  return new Map(
    members.flatMap(([name, inner]) => [...flat(inner, path === '' ? name : `${path}.${name}`)]),
  );
};

const pathsOf = (...sides: readonly ReadonlyMap<string, string>[]): readonly string[] => [
  ...new Set(sides.flatMap((side) => [...side.keys()])),
];
