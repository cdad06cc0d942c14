import type { Operations, Source } from 'knowledger-client';
import { useMay } from '../../may.tsx';
import { useClient } from '../../session.ts';
import { pastOf, useAddress } from '../../ui/address.ts';
import { List } from '../../ui/list.tsx';
import { Empty, Time } from '../../ui/parts.tsx';
import type { Column } from '../../ui/rows.tsx';
import { Tried, tryAgainColumn, useTryAgain } from '../../ui/try-again.tsx';
import { words } from '../../words.ts';
import { Document } from './document.tsx';

const COLUMNS: readonly Column<Source>[] = [
  {
    title: words.sources.name,
    width: 'minmax(10rem, 3fr)',
    sorts: [{ by: 'title', direction: 'ascending' }],
    cell: ({ title, url, locator, ...row }) => (
      <>
        <span className="cut" title={locator}>
          {title || url}
          {/* The title of a file may be in several folders. */}
          {row.source_type === 'local_file' && <span className="faint"> {locator}</span>}
        </span>
        <span className="cut reason narrow">{reasonOf(row)}</span>
      </>
    ),
  },
  {
    title: words.sources.state,
    width: 'minmax(7rem, 2fr)',
    cell: ({ status, ...row }) => (
      <span title={reasonOf(row)}>
        <span className={`item-${status}`}>{words.document.states[status]}</span>{' '}
        <span className="reason extra">{reasonOf(row)}</span>
      </span>
    ),
  },
  { title: words.sources.kind, width: '5rem', cell: ({ file_type: type }) => type ?? '—', isExtra: true },
  {
    title: words.sources.passages,
    width: '6rem',
    cell: ({ content_count: n }) => n.toLocaleString(),
    isNumber: true,
    isExtra: true,
  },
  {
    title: words.source.counts.indexed,
    width: '8rem',
    cell: ({ indexed_time: at }) => <Time at={at} />,
    isExtra: true,
  },
];

/** Why it has no text, or an old one. */
const reasonOf = ({ error, skip_reason: skipped }: Pick<Source, 'error' | 'skip_reason'>) =>
  error?.message ?? skipped;

const STATES = ['indexed', 'skipped', 'failed'] as const satisfies readonly Source['status'][];
type Query = Operations['GET /sources']['query'];

export const Documents = ({ groupId }: { readonly groupId: string }) => {
  const client = useClient();
  const may = useMay();
  const again = useTryAgain();
  const { asked, set } = useAddress();
  const { document, as_of: asOf, name, status } = asked;
  const isToday = pastOf(asOf) === undefined;
  const sort: NonNullable<Query['sort']> = asked.sort === 'title' ? 'title' : 'newest';
  const state = STATES.find((one) => one === status);
  const filter: Query = {
    ...(name !== undefined && { contains: name }),
    ...(state !== undefined && { status: [state] }),
  };
  return (
    <>
      <Tried again={again} />
      <List
        name={words.source.documents}
        of={[groupId, filter, isToday ? sort : null]}
        sort={sort}
        read={async (page, signal) => {
          const query = { source_group_id: groupId, ...filter, ...page, ...(isToday && { sort }) } as const;
          const { sources: rows, pagination } = await client.get('/sources', { query, signal });
          return { rows, pagination };
        }}
        columns={
          may('ingestion:manage') && isToday
            ? [
                ...COLUMNS,
                { ...tryAgainColumn<Source>(again, (row) => row.status === 'failed'), isExtra: true },
              ]
            : COLUMNS
        }
        empty={
          <Empty
            title={Object.keys(filter).length > 0 ? words.source.noDocumentFits : words.source.noDocuments}
          />
        }
        tools={
          <>
            <input
              type="search"
              aria-label={words.source.filterDocuments}
              placeholder={words.source.filterDocuments}
              defaultValue={name ?? ''}
              maxLength={200}
              onChange={({ target }) => set({ name: target.value })}
            />
            <select
              aria-label={words.sources.state}
              value={state ?? ''}
              onChange={({ target }) => set({ status: target.value })}
            >
              <option value="">{words.sources.allStates}</option>
              {STATES.map((one) => (
                <option key={one} value={one}>
                  {words.document.states[one]}
                </option>
              ))}
            </select>
          </>
        }
        keyOf={({ id }) => id}
        marked={document}
        open={({ id }) => set({ document: id, passage: undefined, at: asOf })}
        beside={
          document === undefined ? undefined : (
            <Document
              key={document}
              id={document}
              close={() => set({ document: undefined, passage: undefined, at: undefined })}
            />
          )
        }
      />
    </>
  );
};
