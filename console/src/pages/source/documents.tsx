import type { Source } from 'knowledger-client';
import { useClient } from '../../session.ts';
import { useAddress } from '../../ui/address.ts';
import { List } from '../../ui/list.tsx';
import { Empty, Time } from '../../ui/parts.tsx';
import type { Column } from '../../ui/rows.tsx';
import { words } from '../../words.ts';
import { Document } from './document.tsx';

const COLUMNS: readonly Column<Source>[] = [
  { title: words.sources.name, width: 'minmax(10rem, 3fr)', cell: ({ title, url }) => title || url },
  {
    title: words.sources.state,
    width: '7rem',
    cell: ({ status }) => <span className={`item-${status}`}>{words.document.states[status]}</span>,
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

export const Documents = ({ groupId }: { readonly groupId: string }) => {
  const client = useClient();
  const { asked, set } = useAddress();
  const { document, as_of: asOf } = asked;
  return (
    <List
      name={words.source.documents}
      of={groupId}
      read={async (page, signal) => {
        const query = { source_group_id: groupId, ...page };
        const { sources: rows, pagination } = await client.get('/sources', { query, signal });
        return { rows, pagination };
      }}
      columns={COLUMNS}
      empty={<Empty title={words.source.noDocuments} />}
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
  );
};
