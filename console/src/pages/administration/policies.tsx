import { useQuery } from '@tanstack/react-query';
import type { AuthzPolicy, AuthzPolicyReplacement } from 'knowledger-client';
import { useState } from 'react';
import { Allowed } from '../../may.tsx';
import { useClient } from '../../session.ts';
import { useStatus } from '../../status.ts';
import { textIn } from '../../ui/forms.ts';
import { JsonField, jsonOf } from '../../ui/json-field.tsx';
import { Card, Empty, Loaded, Time } from '../../ui/parts.tsx';
import type { Column } from '../../ui/rows.tsx';
import { SchemaForm, type Values } from '../../ui/schema-form.tsx';
import { useBodySchema } from '../../ui/body-schema.ts';
import { words } from '../../words.ts';
import { usePolicyNames } from './policy-names.ts';
import { Editor, Records } from './records.tsx';

const { policies, ...general } = words.administration;

const COLUMNS: readonly Column<AuthzPolicy>[] = [
  { title: general.name, width: 'minmax(9rem, 1fr)', cell: ({ name }) => name },
  {
    title: general.description,
    width: 'minmax(9rem, 2fr)',
    cell: ({ description }) => <span className="faint">{description}</span>,
    isExtra: true,
  },
  {
    title: policies.rules,
    width: 'minmax(9rem, 2fr)',
    cell: ({ source_metadata: source, chunk_metadata: chunk }) => (
      <code className="faint">{JSON.stringify({ ...source, ...chunk })}</code>
    ),
    isExtra: true,
  },
  { title: general.created, width: '8rem', cell: ({ creation_time: at }) => <Time at={at} /> },
];

const Policies = () => {
  const client = useClient();
  return (
    <>
      <p className="faint">{policies.off}</p>
      <Records
        name={general.tabs.policies}
        path="/authz-policies/{name}"
        read={async (query, signal) => {
          const { authz_policies: rows, pagination } = await client.get('/authz-policies', { query, signal });
          return { rows, pagination };
        }}
        columns={COLUMNS}
        keyOf={({ name }) => name}
        create={policies.new}
        empty={{ title: policies.empty, hint: policies.emptyHint }}
        editor={(row, close) => <PolicyEditor key={row?.name} row={row} close={close} />}
      />
      <Allowed to={['knowledge:read']}>
        <Bench />
      </Allowed>
    </>
  );
};
export default Policies;

/** Of a new policy. */
const EXAMPLE: NonNullable<AuthzPolicy['source_metadata']> = {
  filters: [{ key: 'department', operator: 'in', val: { subject: 'department' } }],
};

const PolicyEditor = ({ row, close }: { readonly row: AuthzPolicy | null; readonly close: () => void }) => {
  const client = useClient();
  const schema = useBodySchema('AuthzPolicyCreate');
  const [values, setValues] = useState<Values>({ name: row?.name, description: row?.description });
  const { source_metadata: source, chunk_metadata: chunk } = row ?? { source_metadata: EXAMPLE };
  const [ofDocuments, setOfDocuments] = useState(source === undefined ? '' : jsonOf(source));
  const [ofPassages, setOfPassages] = useState(chunk === undefined ? '' : jsonOf(chunk));
  const body = (): AuthzPolicyReplacement => ({
    description: (values['description'] as string | undefined) ?? '',
    ...(ofDocuments.trim() !== '' && { source_metadata: JSON.parse(ofDocuments) }),
    ...(ofPassages.trim() !== '' && { chunk_metadata: JSON.parse(ofPassages) }),
  });
  const { name, description, source_metadata: onDocuments, chunk_metadata: onPassages } = words.fields.policy;
  return (
    <Editor
      title={row?.name ?? policies.new}
      submit={words.actions.save}
      named={words.fields.policy}
      typed={[values, ofDocuments, ofPassages]}
      save={() =>
        row === null
          ? client.post('/authz-policies', { body: { ...body(), name: values['name'] as string } })
          : client.put('/authz-policies/{name}', { path: { name: row.name }, body: body() })
      }
      remove={
        row === null
          ? undefined
          : {
              title: policies.confirmDelete(row.name),
              hint: policies.deleteHint,
              run: () => client.delete('/authz-policies/{name}', { path: { name: row.name } }),
            }
      }
      close={close}
    >
      <div className="with-rules">
        <div className="form">
          <Loaded query={schema}>
            {(known) => (
              <SchemaForm
                schema={known}
                values={values}
                change={setValues}
                named={row === null ? { name, description } : { description }}
                isWhole
              />
            )}
          </Loaded>
          <JsonField words={onDocuments} text={ofDocuments} change={setOfDocuments} isRequired={false} />
          <JsonField words={onPassages} text={ofPassages} change={setOfPassages} isRequired={false} />
        </div>
        <Help />
      </div>
    </Editor>
  );
};

const Help = () => (
  <div className="rules-beside">
    <h3>{policies.help.title}</h3>
    <p>{policies.help.intro}</p>
    <ul>
      {policies.help.operators.map(([names, meaning]) => (
        <li key={names}>
          <code>{names}</code> {meaning}
        </li>
      ))}
    </ul>
    <p>{policies.help.subject}</p>
  </div>
);

interface Asked {
  readonly policy: string;
  readonly principal: string;
  readonly words: string;
}

/** Reads as a principal would. */
const Bench = () => {
  const client = useClient();
  const { data: status } = useStatus();
  const [asked, setAsked] = useState<Asked | null>(null);
  const names = usePolicyNames();
  const principals = useQuery({
    queryKey: ['administration', 'principal-names'],
    queryFn: ({ signal }) => client.get('/authz-subject-attributes', { query: { limit: 100 }, signal }),
  });
  return (
    <Card title={policies.bench}>
      <p className="faint">
        {policies.benchHint} {status?.authz === false && policies.benchOff}
      </p>
      <form
        className="bench"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          setAsked({
            policy: textIn(form, 'policy'),
            principal: textIn(form, 'principal'),
            words: textIn(form, 'words').trim(),
          });
        }}
      >
        <label className="field">
          <span>{policies.policy}</span>
          <select name="policy">
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>{words.fields.principal.principal_id.label}</span>
          <input name="principal" list="bench-principals" autoComplete="off" />
        </label>
        <datalist id="bench-principals">
          {(principals.data?.authz_subject_attributes ?? []).map(({ principal_id: id }) => (
            <option key={id} value={id} />
          ))}
        </datalist>
        <label className="field">
          <span>{policies.query}</span>
          <input name="words" autoComplete="off" />
        </label>
        <button type="submit" className="main">
          {policies.show}
        </button>
      </form>
      {asked !== null && <Seen key={JSON.stringify(asked)} asked={asked} />}
    </Card>
  );
};

interface Sight {
  readonly summary: string;
  readonly lines: readonly { readonly id: string; readonly title: string; readonly more: string }[];
}

const Seen = ({ asked }: { readonly asked: Asked }) => {
  const client = useClient();
  const query = useQuery<Sight>({
    queryKey: ['administration', 'seen', asked],
    queryFn: async ({ signal }) => {
      const as = {
        try_policy: true,
        ...(asked.policy !== '' && { authz_policy: asked.policy }),
        ...(asked.principal !== '' && { principal_id: asked.principal }),
      };
      if (asked.words === '') {
        const { sources, pagination } = await client.get('/sources', { query: { limit: 50, ...as }, signal });
        return {
          summary: policies.documents(pagination.total),
          lines: sources.map(({ id, title, url }) => ({ id, title: title || url, more: url })),
        };
      }
      const body = { query: asked.words, limit: 20, ...as };
      const { results, total_candidates: total } = await client.post('/search', { body, signal });
      return {
        summary: policies.passages(total),
        lines: results.map(({ content: { id, title, url, text } }) => ({
          id,
          title: title || url,
          more: text.slice(0, 160),
        })),
      };
    },
  });
  return (
    <Loaded query={query}>
      {({ summary, lines }) =>
        lines.length === 0 ? (
          <Empty title={policies.nothing} />
        ) : (
          <div role="status">
            <p className="faint">{summary}</p>
            <ul className="list">
              {lines.map(({ id, title, more }) => (
                <li key={id}>
                  <span>{title}</span>
                  <span className="faint cut">{more}</span>
                </li>
              ))}
            </ul>
          </div>
        )
      }
    </Loaded>
  );
};
