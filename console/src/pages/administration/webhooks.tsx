import type { IssuedWebhook, Webhook, WebhookChange, WebhookCreate } from 'knowledger-client';
import { useState } from 'react';
import { once } from '../../idempotency.ts';
import { useClient } from '../../session.ts';
import { useBodySchema } from '../../ui/body-schema.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure, Loaded, Time } from '../../ui/parts.tsx';
import type { Column } from '../../ui/rows.tsx';
import { SchemaForm } from '../../ui/schema-form.tsx';
import { words } from '../../words.ts';
import { Behind } from './deliveries.tsx';
import { EventTypes } from './event-types.tsx';
import { GroupPicker } from './group-picker.tsx';
import { Editor, Records, useChange } from './records.tsx';
import { ShownOnce } from './shown-once.tsx';

const { webhooks, ...general } = words.administration;

const COLUMNS: readonly Column<Webhook>[] = [
  { title: webhooks.address, width: 'minmax(10rem, 3fr)', cell: ({ url }) => url },
  {
    title: general.description,
    width: 'minmax(8rem, 2fr)',
    cell: ({ description }) => <span className="faint">{description}</span>,
    isExtra: true,
  },
  { title: webhooks.state, width: 'minmax(8rem, 2fr)', cell: (row) => <State of={row} /> },
  {
    title: general.created,
    width: '8rem',
    cell: ({ creation_time: at }) => <Time at={at} />,
    isExtra: true,
  },
];

const State = ({ of: { disabled, failing } }: { readonly of: Webhook }) =>
  disabled !== undefined ? (
    <span className="reason">{webhooks.because[disabled.because]}</span>
  ) : failing === undefined ? (
    webhooks.enabled
  ) : (
    <span className="reason">
      {webhooks.failing} <Time at={failing.since} /> <span className="cut">{failing.reason}</span>
    </span>
  );

const Webhooks = () => {
  const client = useClient();
  return (
    <Records
      name={general.tabs.webhooks}
      path="/webhooks/{id}"
      read={async (query, signal) => {
        const { webhooks: rows, pagination } = await client.get('/webhooks', { query, signal });
        return { rows, pagination };
      }}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      create={webhooks.new}
      empty={{ title: webhooks.empty, hint: webhooks.emptyHint }}
      editor={(row, close) => <WebhookEditor key={row?.id} row={row} close={close} />}
    />
  );
};
export default Webhooks;

const NAMED = {
  ...words.fields.webhook,
  categories: { ...words.fields.webhook.categories, choices: words.events.categories },
};

const CONTROLS = { types: EventTypes };

const WebhookEditor = ({ row, close }: { readonly row: Webhook | null; readonly close: () => void }) => {
  const client = useClient();
  const schema = useBodySchema(row === null ? 'WebhookCreate' : 'WebhookChange');
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>(
    row === null
      ? {}
      : {
          url: row.url,
          description: row.description,
          types: row.types ?? undefined,
          categories: row.categories ?? undefined,
          enabled: row.enabled,
        },
  );
  const [groups, setGroups] = useState<readonly string[]>(row?.source_group_ids ?? []);
  const [issued, setIssued] = useState<IssuedWebhook | null>(null);
  const orNull = (list: unknown): string[] | null =>
    Array.isArray(list) && list.length > 0 ? (list as string[]) : null;
  const body = {
    ...values,
    description: values['description'] ?? '',
    types: orNull(values['types']),
    categories: orNull(values['categories']),
    source_group_ids: orNull(groups),
  };
  if (issued !== null)
    return (
      <ShownOnce
        title={issued.url}
        value={issued.secret}
        hint={webhooks.once}
        unseen={webhooks.unseen}
        close={close}
      />
    );
  const form = (
    <>
      <Loaded query={schema}>
        {(known) => (
          <SchemaForm
            schema={known}
            values={values}
            change={setValues}
            named={NAMED}
            controls={CONTROLS}
            isWhole={row !== null}
          />
        )}
      </Loaded>
      <GroupPicker
        label={webhooks.restrict}
        isChosen={({ id }) => groups.includes(id)}
        toggle={(id, chosen) => setGroups(chosen ? [...groups, id] : groups.filter((one) => one !== id))}
      />
    </>
  );
  if (row === null)
    return (
      <Create
        create={async () =>
          setIssued(await client.post('/webhooks', { body: body as WebhookCreate, headers: once() }))
        }
        close={close}
      >
        {form}
      </Create>
    );
  const path = { id: row.id };
  return (
    <Editor
      title={row.url}
      submit={words.actions.save}
      named={NAMED}
      typed={[values, groups]}
      save={() => client.put('/webhooks/{id}', { path, body: body as WebhookChange })}
      remove={{
        title: webhooks.confirmDelete(row.url),
        hint: webhooks.deleteHint,
        run: () => client.delete('/webhooks/{id}', { path }),
      }}
      close={close}
      behind={<Behind row={row} issued={setIssued} />}
    >
      {row.disabled !== undefined && (
        <p className="reason">
          {webhooks.because[row.disabled.because]} <Time at={row.disabled.time} exact /> {row.disabled.detail}
        </p>
      )}
      {row.failing !== undefined && (
        <p className="reason">
          {webhooks.failing} <Time at={row.failing.since} exact /> {row.failing.reason}
        </p>
      )}
      {form}
    </Editor>
  );
};

/** Stays open behind the request: the secret takes its place. */
const Create = ({
  create,
  close,
  children,
}: {
  readonly create: () => Promise<void>;
  readonly close: () => void;
  readonly children: React.ReactNode;
}) => {
  const change = useChange();
  return (
    <Dialog title={webhooks.new} close={close} wide>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(create);
        }}
      >
        {children}
        {change.error !== null && <Failure error={change.error} named={NAMED} />}
        <div className="actions">
          <button type="submit" className="main" disabled={change.isPending}>
            {words.actions.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
