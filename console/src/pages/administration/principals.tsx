import type { AuthzSubject, AuthzSubjectReplacement } from 'knowledger-client';
import { useState } from 'react';
import { useClient } from '../../session.ts';
import { Time } from '../../ui/parts.tsx';
import type { Column } from '../../ui/rows.tsx';
import { words } from '../../words.ts';
import { usePolicyNames } from './policy-names.ts';
import { Editor, JsonField, jsonOf, jsonProblem, Records } from './records.tsx';

const { principals, ...general } = words.administration;

const COLUMNS: readonly Column<AuthzSubject>[] = [
  { title: principals.principal, width: 'minmax(9rem, 1fr)', cell: ({ principal_id: id }) => id },
  {
    title: principals.policies,
    width: 'minmax(9rem, 3fr)',
    cell: ({ policies }) => (
      <code className="faint">
        {policies
          .map(({ authz_policy: policy, attributes }) => `${policy} ${JSON.stringify(attributes)}`)
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
      isIncomplete={id === '' || policy === '' || jsonProblem(text) !== null}
      close={close}
    >
      {row === null && (
        <div className="field">
          <label htmlFor="principal-id">{principals.principal}</label>
          <input
            id="principal-id"
            required
            maxLength={256}
            value={id}
            onChange={({ target }) => setId(target.value)}
          />
        </div>
      )}
      <div className="field">
        <label htmlFor="principal-policy">{principals.policy}</label>
        <select id="principal-policy" value={policy} onChange={({ target }) => setChosen(target.value)}>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        {policy === '' && <span className="reason">{principals.noPolicy}</span>}
      </div>
      <JsonField
        id="principal-attributes"
        label={principals.attributes}
        text={text}
        change={(changed) => setTexts({ ...texts, [policy]: changed })}
        rows={7}
      />
      <small>{principals.attributesHint}</small>
    </Editor>
  );
};
