import type { Tag, TagCreate, TagSourceGroup } from 'knowledger-client';
import { useState } from 'react';
import { useMay } from '../../may.tsx';
import { useClient } from '../../session.ts';
import { Failure, Loaded, Time } from '../../ui/parts.tsx';
import type { Column } from '../../ui/rows.tsx';
import { SchemaForm } from '../../ui/schema-form.tsx';
import { useBodySchema } from '../../ui/body-schema.ts';
import { words } from '../../words.ts';
import { GroupPicker } from './group-picker.tsx';
import { Editor, Records, useChange } from './records.tsx';

const { tags, ...general } = words.administration;

/** Of whoever creates or changes a tag. */
const NEED = 'knowledge:write everywhere';

const COLUMNS: readonly Column<Tag>[] = [
  { title: general.name, width: 'minmax(9rem, 2fr)', cell: ({ name }) => name },
  {
    title: general.description,
    width: 'minmax(9rem, 3fr)',
    cell: ({ description }) => <span className="faint">{description}</span>,
    isExtra: true,
  },
  {
    title: general.created,
    width: '8rem',
    cell: ({ creation_time: at }) => <Time at={at} />,
    isExtra: true,
  },
  {
    title: words.pages.sources,
    width: '6rem',
    cell: ({ source_group_count: n }) => n.toLocaleString(),
    isNumber: true,
  },
];

const Tags = () => {
  const client = useClient();
  return (
    <Records
      name={general.tabs.tags}
      path="/tags/{id}"
      read={async (query, signal) => {
        const { tags: rows, pagination } = await client.get('/tags', { query, signal });
        return { rows, pagination };
      }}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      create={tags.new}
      needs={NEED}
      empty={{ title: tags.empty, hint: tags.emptyHint }}
      editor={(row, close) => <TagEditor key={row?.id} row={row} close={close} />}
    />
  );
};
export default Tags;

const TagEditor = ({ row, close }: { readonly row: Tag | null; readonly close: () => void }) => {
  const client = useClient();
  const may = useMay();
  const schema = useBodySchema('TagCreate');
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>(
    row === null ? {} : { name: row.name, description: row.description },
  );
  const body = values as TagCreate;
  return (
    <Editor
      title={row?.name ?? tags.new}
      submit={words.actions.save}
      named={words.fields.tag}
      typed={values}
      needs={NEED}
      save={() =>
        row === null
          ? client.post('/tags', { body })
          : client.put('/tags/{id}', {
              path: { id: row.id },
              body: { ...body, description: body.description ?? '' },
            })
      }
      remove={
        row === null
          ? undefined
          : {
              title: tags.confirmDelete(row.name),
              hint: tags.deleteHint(row.source_group_count),
              run: () => client.delete('/tags/{id}', { path: { id: row.id } }),
            }
      }
      close={close}
      behind={row !== null && may('knowledge:write') && <Bindings tagId={row.id} />}
    >
      <Loaded query={schema}>
        {(known) => (
          <SchemaForm schema={known} values={values} change={setValues} named={words.fields.tag} isWhole />
        )}
      </Loaded>
    </Editor>
  );
};

/** Each box binds or unbinds at once, and shows what was asked until the list tells it. */
const Bindings = ({ tagId }: { readonly tagId: string }) => {
  const client = useClient();
  const change = useChange();
  const [asked, setAsked] = useState<ReadonlyMap<string, boolean>>(new Map());
  const unbind = async (groupId: string): Promise<void> => {
    for (let after: string | undefined; ;) {
      const query = { limit: 100, ...(after !== undefined && { after }) };
      const page = await client.get('/tag-source-groups', { query });
      const found = page.tag_source_groups.find(
        (one: TagSourceGroup) => one.tag_id === tagId && one.source_group_id === groupId,
      );
      if (found !== undefined) {
        await client.delete('/tag-source-groups/{id}', { path: { id: found.id } });
        return;
      }
      if (!page.pagination.has_more) return;
      after = page.pagination.next_id;
    }
  };
  return (
    <>
      <GroupPicker
        label={tags.groups}
        isChosen={({ id, tag_ids: ids }) => asked.get(id) ?? ids.includes(tagId)}
        toggle={(id, chosen) => {
          const shown = (is: boolean): void => setAsked((before) => new Map([...before, [id, is]]));
          shown(chosen);
          change.mutate(
            () =>
              chosen
                ? client.post('/tag-source-groups', { body: { tag_id: tagId, source_group_id: id } })
                : unbind(id),
            { onError: () => shown(!chosen) },
          );
        }}
      />
      {change.error !== null && <Failure error={change.error} />}
    </>
  );
};
