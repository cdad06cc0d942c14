import type { AuthzSubject, AuthzSubjectReplacement } from 'knowledger-client';
import { useState } from 'react';
import { useClient } from '../../session.ts';
import { Field } from '../../ui/field.tsx';
import { JsonField, jsonOf } from '../../ui/json-field.tsx';
import { Time } from '../../ui/parts.tsx';
import type { Column } from '../../ui/rows.tsx';
import { words } from '../../words.ts';
import { usePolicyNames } from './policy-names.ts';
import { Editor, Records } from './records.tsx';

const { principals, ...general } = words.administration;
const { principal_id, authz_policy, attributes } = words.fields.principal;

const COLUMNS: readonly Column<AuthzSubject>[] = [
  { title: principal_id.label, width: 'minmax(9rem, 1fr)', cell: ({ principal_id: id }) => id },
  {
    title: principals.policies,
    width: 'minmax(9rem, 3fr)',
    cell: ({ policies }) => (
      <code className="faint">
        {policies
          .map(({ authz_policy: policy, attributes: known }) => `${policy} ${JSON.stringify(known)}`)
          .join(', ')}
      </code>
    ),
    isExtra: true,
  },
  { title: general.created, width: '8rem', cell: ({ creation_time: at }) => <Time at={at} /> },
];

const Principals = () => {
  const client = useClient();
  return (
    <Records
      name={general.tabs.principals}
      path="/authz-subject-attributes/{principal_id}"
      read={async (query, signal) => {
        const { authz_subject_attributes: rows, pagination } = await client.get('/authz-subject-attributes', {
          query,
          signal,
        });
        return { rows, pagination };
      }}
      columns={COLUMNS}
      keyOf={({ principal_id: id }) => id}
      create={principals.new}
      empty={{ title: principals.empty, hint: principals.emptyHint }}
      editor={(row, close) => <PrincipalEditor key={row?.principal_id} row={row} close={close} />}
    />
  );
};
export default Principals;

const PrincipalEditor = ({
  row,
  close,
}: {
  readonly row: AuthzSubject | null;
  readonly close: () => void;
}) => {
  const client = useClient();
  const names = usePolicyNames();
  const [id, setId] = useState(row?.principal_id ?? '');
  const [chosen, setChosen] = useState(row?.policies[0]?.authz_policy);
  const policy = chosen ?? names[0] ?? '';
  /** By policy, as far as they were changed. */
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const known = row?.policies.find(({ authz_policy: name }) => name === policy)?.attributes;
  const text = texts[policy] ?? jsonOf(known ?? { department: ['sales'] });
  return (
    <Editor
      title={row?.principal_id ?? principals.new}
      submit={words.actions.save}
      named={words.fields.principal}
      typed={[id, texts]}
      save={() =>
        client.put('/authz-subject-attributes/{principal_id}', {
          path: { principal_id: id },
          body: {
            authz_policy: policy,
            attributes: JSON.parse(text) as AuthzSubjectReplacement['attributes'],
          },
        })
      }
      remove={
        row === null
          ? undefined
          : {
              title: principals.confirmDelete(row.principal_id),
              hint: principals.deleteHint,
              run: () =>
                client.delete('/authz-subject-attributes/{principal_id}', {
                  path: { principal_id: row.principal_id },
                }),
            }
      }
      isIncomplete={policy === ''}
      close={close}
    >
      {row === null && (
        <Field
          property={{ type: 'string', maxLength: 256 }}
          isRequired
          value={id}
          change={(typed) => setId((typed as string | undefined) ?? '')}
          words={principal_id}
        />
      )}
      <Field
        property={{ type: 'string', enum: names }}
        isRequired
        value={policy}
        change={(name) => setChosen(name as string)}
        words={authz_policy}
      />
      {policy === '' && <span className="reason">{principals.noPolicy}</span>}
      <JsonField
        words={attributes}
        text={text}
        change={(changed) => setTexts({ ...texts, [policy]: changed })}
        isRequired
      />
    </Editor>
  );
};
