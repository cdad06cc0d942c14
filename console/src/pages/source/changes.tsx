import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { KnowledgerError, type RecordChanges } from 'knowledger-client';
import type { Kind } from '../../kinds.ts';
import { useClient } from '../../session.ts';
import { inZone, shown, spoken } from '../../ui/format.ts';
import { Card, Loaded, Time } from '../../ui/parts.tsx';
import { words } from '../../words.ts';

type Change = RecordChanges['changes'][number];

/** The record at any of its events: the slider moves from one to the next, and what differs from today is marked. */
export const Changes = ({ kind, id }: { readonly kind: Kind; readonly id: string }) => {
  const client = useClient();
  const navigate = useNavigate();
  const { as_of: asOf } = useSearch({ from: '/sources/$type/$id' });
  const changes = useQuery({
    queryKey: ['changes', id],
    queryFn: async ({ signal }) => {
      const all: Change[] = [];
      for (let after: string | undefined; ;) {
        const query = { limit: 100, ...(after !== undefined && { after }) };
        const response = await client.raw('GET', `${kind.path}/{id}/changes`, {
          path: { id },
          query,
          signal,
        });
        const page = (await response.json()) as RecordChanges;
        all.push(...page.changes);
        if (!page.pagination.has_more) return all;
        after = page.pagination.next_id;
      }
    },
  });
  const go = (change: Change | undefined): void =>
    void navigate({
      from: '/sources/$type/$id',
      to: '/sources/$type/$id',
      search: { tab: 'changes', ...(change !== undefined && { as_of: change.position }) },
      replace: true,
    });
  return (
    <Loaded query={changes}>
      {(all) => {
        const index = asOf === undefined ? all.length : all.findIndex(({ position }) => position === asOf);
        const at = all[index];
        return (
          <>
            <div className="slider">
              <label htmlFor="slider">
                {words.source.rewind} {at === undefined ? 'today' : <Time at={at.time} exact />}
              </label>
              <input
                id="slider"
                type="range"
                min={0}
                max={all.length}
                value={index}
                aria-valuetext={
                  at === undefined ? 'today' : `${spoken(at.type)}, event ${index + 1} of ${all.length}`
                }
                onChange={({ target }) => go(all[Number(target.value)])}
              />
              {at !== undefined && (
                <button type="button" onClick={() => go(undefined)}>
                  {words.actions.today}
                </button>
              )}
            </div>
            {at !== undefined && <Past kind={kind} id={id} asOf={at.position} />}
            <Card title={words.source.changes}>
              <ol className="changes">
                {all.toReversed().map((change) => (
                  <li key={change.revision} className={change === at ? 'marked' : ''}>
                    <div className="change-head">
                      <button type="button" className="link" onClick={() => go(change)}>
                        {spoken(change.type)}
                      </button>
                      <span className="faint">
                        <Time at={change.time} exact />, {change.actor.kind.replaceAll('_', ' ')}
                      </span>
                    </div>
                    <Fields fields={change.fields} />
                  </li>
                ))}
              </ol>
            </Card>
          </>
        );
      }}
    </Loaded>
  );
};

const Fields = ({ fields }: { readonly fields: Change['fields'] }) => (
  <ul className="diff">
    {fields.map(({ path, before, after }) => (
      <li key={path}>
        <code>{path.slice(1)}</code>
        {before !== undefined && <del>{shown(before)}</del>}
        {after !== undefined && <ins>{shown(after)}</ins>}
      </li>
    ))}
  </ul>
);

const Past = ({ kind, id, asOf }: { readonly kind: Kind; readonly id: string; readonly asOf: string }) => {
  const client = useClient();
  const read = async (
    query: object,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>> | null> => {
    try {
      const response = await client.raw('GET', `${kind.path}/{id}`, {
        path: { id },
        query: { ...query },
        signal,
      });
      return (await response.json()) as Readonly<Record<string, unknown>>;
    } catch (error) {
      if (error instanceof KnowledgerError && error.status === 404) return null;
      throw error;
    }
  };
  const then = useQuery<{ readonly record: Readonly<Record<string, unknown>> | null }>({
    queryKey: ['static', 'past', id, asOf],
    queryFn: ({ signal }) => read({ as_of: asOf }, signal).then((record) => ({ record })),
    placeholderData: keepPreviousData,
  });
  const now = useQuery({
    queryKey: ['record', 'whole', id],
    queryFn: ({ signal }) => read({}, signal).then((record) => ({ record })),
  });
  return (
    <Card title={words.source.rewound}>
      <Loaded query={then}>
        {({ record }) => {
          if (record === null) return <p>{words.source.notYet}</p>;
          const before = flat(record);
          const today = flat(now.data?.record ?? {});
          return (
            <table className="compare">
              <thead>
                <tr>
                  <th scope="col">{words.source.field}</th>
                  <th scope="col">{words.source.past}</th>
                  <th scope="col">{words.source.today}</th>
                </tr>
              </thead>
              <tbody>
                {[...new Set([...before.keys(), ...today.keys()])].map((path) => (
                  <tr key={path} className={before.get(path) === today.get(path) ? '' : 'differs'}>
                    <th scope="row">{path}</th>
                    <td>{before.get(path) ?? '—'}</td>
                    <td>{today.get(path) ?? '—'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          );
        }}
      </Loaded>
    </Card>
  );
};

/** The values of a record by their paths. */
const flat = (value: unknown, path = ''): Map<string, string> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Map([
      [path, path.endsWith('_time') && typeof value === 'number' ? inZone(value) : shown(value)],
    ]);
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => [
      ...flat(inner, path === '' ? name : `${path}.${name}`),
    ]),
  );
};
