import type { Secret } from 'knowledger-client';
import { useState } from 'react';
import { useClient } from '../../session.ts';
import { Loaded, Time } from '../../ui/parts.tsx';
import type { Column } from '../../ui/rows.tsx';
import { type Control, Field } from '../../ui/field.tsx';
import { SchemaForm } from '../../ui/schema-form.tsx';
import { useBodySchema } from '../../ui/body-schema.ts';
import { words } from '../../words.ts';
import './administration.css';
import { Editor, Records } from './records.tsx';

const { secrets, ...general } = words.administration;

type Type = Secret['type'];

/** Of a value of each type. One field alone is sent as a text. */
const FIELDS: Readonly<Record<Type, readonly Part[]>> = {
  token: ['token'],
  basic: ['username', 'password'],
  oauth_refresh: ['client_id', 'client_secret', 'refresh_token'],
  service_account: ['key_file'],
  app: ['app_id', 'installation_id', 'private_key'],
};
type Part = keyof typeof words.fields.secretParts;
const LONG: ReadonlySet<string> = new Set(['key_file', 'private_key']);
const OPEN: ReadonlySet<string> = new Set(['username', 'client_id', 'app_id', 'installation_id']);

const Long = ({ common, value = '', change }: Control) => (
  <textarea
    {...common}
    className="code"
    rows={5}
    spellCheck={false}
    value={value as string}
    onChange={({ target }) => change(target.value)}
  />
);
const Hidden = ({ common, value = '', change }: Control) => (
  <input
    {...common}
    type="password"
    autoComplete="off"
    value={value as string}
    onChange={({ target }) => change(target.value)}
  />
);

const COLUMNS: readonly Column<Secret>[] = [
  { title: general.name, width: 'minmax(9rem, 2fr)', cell: ({ name }) => name },
  {
    title: secrets.type,
    width: 'minmax(9rem, 1fr)',
    cell: ({ type }) => secrets.types[type],
    isExtra: true,
  },
  { title: secrets.inUse, width: '8rem', cell: ({ in_use_count: n }) => secrets.sources(n) },
  {
    title: general.used,
    width: '8rem',
    cell: ({ last_used_time: at }) => (at === undefined ? general.never : <Time at={at} />),
    isExtra: true,
  },
  {
    title: general.expires,
    width: '11rem',
    cell: ({ expires_at: at }) => (at === undefined ? general.never : <Time at={at} exact />),
    isExtra: true,
  },
  {
    title: general.changed,
    width: '8rem',
    cell: ({ change_time: at }) => <Time at={at} />,
    isExtra: true,
  },
];

const Secrets = () => {
  const client = useClient();
  return (
    <Records
      name={general.tabs.secrets}
      path="/secrets/{id}"
      read={async (query, signal) => {
        const { secrets: rows, pagination } = await client.get('/secrets', { query, signal });
        return { rows, pagination };
      }}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      create={secrets.new}
      empty={{ title: secrets.empty, hint: secrets.emptyHint }}
      editor={(row, close) => <SecretEditor key={row?.id} row={row} close={close} />}
    />
  );
};
export default Secrets;

export const SecretEditor = ({
  row,
  close,
  created,
}: {
  readonly row: Secret | null;
  readonly close: () => void;
  readonly created?: (secret: Secret) => void;
}) => {
  const client = useClient();
  const schema = useBodySchema('SecretCreate');
  const [type, setType] = useState<Type>(row?.type ?? 'token');
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>(
    row === null ? {} : { name: row.name, expires_at: row.expires_at },
  );
  const [parts, setParts] = useState<{ readonly [_ in Part]?: string | undefined }>({});
  const fields = FIELDS[type];
  const given = fields.filter((field) => (parts[field] ?? '') !== '');
  const isWhole = given.length === fields.length;
  const value =
    fields.length === 1
      ? (parts[fields[0]!] ?? '')
      : Object.fromEntries(given.map((one) => [one, parts[one]]));
  const common = {
    name: values['name'] as string,
    expires_at: (values['expires_at'] ?? null) as number | null,
  };
  return (
    <Editor
      title={row?.name ?? secrets.new}
      submit={words.actions.save}
      named={words.fields.secret}
      typed={[values, type, parts]}
      save={async () => {
        if (row === null) {
          const made = await client.post('/secrets', { body: { ...common, type, value } });
          created?.(made);
        } else
          await client.put('/secrets/{id}', {
            path: { id: row.id },
            body: { ...common, ...(isWhole && { type, value }) },
          });
      }}
      remove={
        row === null
          ? undefined
          : {
              title: secrets.confirmDelete(row.name),
              hint: secrets.deleteHint,
              run: () => client.delete('/secrets/{id}', { path: { id: row.id } }),
            }
      }
      isIncomplete={!isWhole && (row === null || given.length > 0)}
      close={close}
    >
      <Loaded query={schema}>
        {(known) => (
          <SchemaForm schema={known} values={values} change={setValues} named={words.fields.secret} />
        )}
      </Loaded>
      <fieldset className="field picker">
        <legend>{row === null ? secrets.type : secrets.replace}</legend>
        {row === null ? (
          <select
            aria-label={secrets.type}
            value={type}
            onChange={({ target }) => {
              setType(target.value as Type);
              setParts({});
            }}
          >
            {(Object.keys(FIELDS) as Type[]).map((one) => (
              <option key={one} value={one}>
                {secrets.types[one]}
              </option>
            ))}
          </select>
        ) : (
          <small>{secrets.replaceHint}</small>
        )}
        {fields.map((field) => (
          <Field
            key={field}
            property={{ type: 'string' }}
            isRequired={row === null || given.length > 0}
            value={parts[field]}
            change={(part) => setParts({ ...parts, [field]: part as string | undefined })}
            words={words.fields.secretParts[field]}
            control={LONG.has(field) ? Long : OPEN.has(field) ? undefined : Hidden}
          />
        ))}
        {!isWhole && given.length > 0 && <span className="reason">{secrets.incomplete}</span>}
      </fieldset>
    </Editor>
  );
};
