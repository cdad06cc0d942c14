import { Link } from '@tanstack/react-router';
import type { ApiKey, ApiKeyCreate, IssuedApiKey } from 'knowledger-client';
import { useState } from 'react';
import { once } from '../../idempotency.ts';
import { useMay } from '../../may.tsx';
import { renew, useClient } from '../../session.ts';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { HistoryButton } from '../../ui/history.tsx';
import { Failure, Loaded, Time } from '../../ui/parts.tsx';
import type { Column } from '../../ui/rows.tsx';
import { SchemaForm } from '../../ui/schema-form.tsx';
import { useBodySchema } from '../../ui/body-schema.ts';
import { words } from '../../words.ts';
import { GroupPicker } from './group-picker.tsx';
import { Records, useChange } from './records.tsx';
import { ShownOnce } from './shown-once.tsx';

const { keys, ...general } = words.administration;

const Expiry = ({ at }: { readonly at: number | undefined }) =>
  at === undefined ? (
    general.never
  ) : at * 1_000 < Date.now() ? (
    <span className="reason">
      {general.expired} <Time at={at} />
    </span>
  ) : (
    <Time at={at} exact />
  );

const COLUMNS: readonly Column<ApiKey>[] = [
  { title: general.name, width: 'minmax(9rem, 2fr)', cell: ({ name }) => name },
  {
    title: keys.scopes,
    width: 'minmax(10rem, 4fr)',
    cell: ({ scopes }) => <span className="faint">{scopes.join(', ')}</span>,
    isExtra: true,
  },
  {
    title: keys.reach,
    width: '8rem',
    cell: ({ source_group_ids: ids }) => (ids === undefined ? keys.everything : keys.only(ids.length)),
    isExtra: true,
  },
  {
    title: general.used,
    width: '8rem',
    cell: ({ last_used_time: at }) => (at === undefined ? general.never : <Time at={at} />),
    isExtra: true,
  },
  { title: general.expires, width: '11rem', cell: ({ expires_at: at }) => <Expiry at={at} /> },
  {
    title: general.created,
    width: '8rem',
    cell: ({ creation_time: at }) => <Time at={at} />,
    isExtra: true,
  },
];

const Keys = () => {
  const client = useClient();
  return (
    <Records
      name={general.tabs.keys}
      path="/api-keys/{id}"
      read={async (query, signal) => {
        const { api_keys: rows, pagination } = await client.get('/api-keys', { query, signal });
        return { rows, pagination };
      }}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      create={keys.new}
      empty={{ title: keys.empty }}
      editor={(row, close) =>
        row === null ? <Issue close={close} /> : <Key key={row.id} row={row} close={close} />
      }
    />
  );
};
export default Keys;

const Issued = ({ issued, close }: { readonly issued: IssuedApiKey; readonly close: () => void }) => (
  <ShownOnce title={issued.name} value={issued.key} hint={keys.once} unseen={keys.unseen} close={close} />
);

const Issue = ({ close }: { readonly close: () => void }) => {
  const client = useClient();
  const schema = useBodySchema('ApiKeyCreate');
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({});
  const [groups, setGroups] = useState<readonly string[]>([]);
  const [issued, setIssued] = useState<IssuedApiKey | null>(null);
  const change = useChange();
  const issue = async (): Promise<void> => {
    const body = { ...values, ...(groups.length > 0 && { source_group_ids: groups }) } as ApiKeyCreate;
    setIssued(await client.post('/api-keys', { body, headers: once() }));
  };
  if (issued !== null) return <Issued issued={issued} close={close} />;
  return (
    <Dialog title={keys.new} close={close} wide>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(issue);
        }}
      >
        <Loaded query={schema}>
          {(known) => (
            <SchemaForm schema={known} values={values} change={setValues} named={words.fields.key} />
          )}
        </Loaded>
        <GroupPicker
          label={keys.restrict}
          isChosen={({ id }) => groups.includes(id)}
          toggle={(id, chosen) => setGroups(chosen ? [...groups, id] : groups.filter((one) => one !== id))}
        />
        {change.error !== null && <Failure error={change.error} named={words.fields.key} />}
        <div className="actions">
          {values['scopes'] === undefined && <small>{keys.withoutScope}</small>}
          <button
            type="submit"
            className="main"
            disabled={change.isPending || values['scopes'] === undefined}
          >
            {keys.issue}
          </button>
        </div>
      </form>
    </Dialog>
  );
};

const Key = ({ row, close }: { readonly row: ApiKey; readonly close: () => void }) => {
  const client = useClient();
  const may = useMay();
  const change = useChange();
  const [asks, setAsks] = useState<'rotate' | 'revoke' | null>(null);
  const [issued, setIssued] = useState<IssuedApiKey | null>(null);
  const path = { id: row.id };
  if (issued !== null) return <Issued issued={issued} close={close} />;
  return (
    <Dialog title={row.name} close={close} wide>
      <dl className="facts">
        <div>
          <dt>{general.id}</dt>
          <dd>
            <code>{row.id}</code>
          </dd>
        </div>
        <div>
          <dt>{keys.scopes}</dt>
          <dd>{row.scopes.join(', ')}</dd>
        </div>
        <div>
          <dt>{keys.reach}</dt>
          <dd>{row.source_group_ids?.join(', ') ?? keys.everything}</dd>
        </div>
        {row.requests_per_minute !== undefined && (
          <div>
            <dt>{keys.limit}</dt>
            <dd>{row.requests_per_minute.toLocaleString()}</dd>
          </div>
        )}
        <div>
          <dt>{general.expires}</dt>
          <dd>
            <Expiry at={row.expires_at} />
          </dd>
        </div>
        <div>
          <dt>{general.used}</dt>
          <dd>{row.last_used_time === undefined ? general.never : <Time at={row.last_used_time} exact />}</dd>
        </div>
        <div>
          <dt>{general.created}</dt>
          <dd>
            <Time at={row.creation_time} exact />
          </dd>
        </div>
      </dl>
      {change.error !== null && <Failure error={change.error} />}
      <div className="actions">
        <HistoryButton />
        {may('audit:read everywhere') && (
          <Link to="/events" search={{ actor: row.id }} className="button">
            {keys.deeds}
          </Link>
        )}
        <button
          type="button"
          className="danger"
          disabled={change.isPending}
          onClick={() => setAsks('revoke')}
        >
          {keys.revoke}
        </button>
        <button type="button" disabled={change.isPending} onClick={() => setAsks('rotate')}>
          {keys.rotate}
        </button>
      </div>
      {asks === 'rotate' && (
        <Confirm
          title={keys.confirmRotate(row.name)}
          hint={keys.rotateHint}
          action={keys.rotate}
          run={() =>
            change.mutate(async () => {
              const next = await client.post('/api-keys/{id}/rotate', { path });
              setIssued(next);
              // It may be the key of this very session.
              if (next.key !== undefined) await renew(next.key);
            })
          }
          close={() => setAsks(null)}
        />
      )}
      {asks === 'revoke' && (
        <Confirm
          title={keys.confirmRevoke(row.name)}
          hint={keys.revokeHint}
          action={keys.revoke}
          run={() => change.mutate(() => client.delete('/api-keys/{id}', { path }), { onSuccess: close })}
          close={() => setAsks(null)}
        />
      )}
    </Dialog>
  );
};
