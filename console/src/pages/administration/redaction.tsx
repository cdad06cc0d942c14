import type { RedactionPolicy, RedactionPolicyCreate, RedactionRule } from 'knowledger-client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../../session.ts';
import { useBodySchema } from '../../ui/body-schema.ts';
import { Loaded, Time } from '../../ui/parts.tsx';
import type { Column } from '../../ui/rows.tsx';
import { SchemaForm, type Values } from '../../ui/schema-form.tsx';
import { words } from '../../words.ts';
import { Editor, Records } from './records.tsx';
import { RedactionRules } from './redaction-rules.tsx';
import { RedactionTrial } from './redaction-trial.tsx';

const { redaction, ...general } = words.administration;

const COLUMNS: readonly Column<RedactionPolicy>[] = [
  { title: general.name, width: 'minmax(9rem, 2fr)', cell: ({ name }) => name },
  {
    title: redaction.rules,
    width: 'minmax(9rem, 3fr)',
    cell: ({ rules }) => <span className="faint">{rules.map(({ name }) => name).join(', ')}</span>,
    isExtra: true,
  },
  {
    title: redaction.appliesTo,
    width: 'minmax(9rem, 2fr)',
    cell: ({ applies_to: places }) => (
      <span className="faint">
        {places.map((place) => words.fields.redaction.applies_to.choices?.[place]).join(', ')}
      </span>
    ),
    isExtra: true,
  },
  { title: general.changed, width: '8rem', cell: ({ change_time: at }) => <Time at={at} /> },
];

const Redaction = () => {
  const client = useClient();
  return (
    <Records
      name={general.tabs.redaction}
      path="/redaction-policies/{id}"
      read={async (query, signal) => {
        const { redaction_policies: rows, pagination } = await client.get('/redaction-policies', {
          query,
          signal,
        });
        return { rows, pagination };
      }}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      create={redaction.new}
      empty={{ title: redaction.empty, hint: redaction.emptyHint }}
      editor={(row, close) => <PolicyEditor key={row?.id} row={row} close={close} />}
    />
  );
};
export default Redaction;

const PolicyEditor = ({
  row,
  close,
}: {
  readonly row: RedactionPolicy | null;
  readonly close: () => void;
}) => {
  const client = useClient();
  const schema = useBodySchema('RedactionPolicyCreate');
  const [values, setValues] = useState<Values>({
    name: row?.name,
    applies_to: row?.applies_to ?? ['content', 'completion'],
  });
  const [rules, setRules] = useState<readonly RedactionRule[]>(
    row?.rules ?? [{ name: 'email', kind: 'email' }],
  );
  const body = { ...values, rules } as RedactionPolicyCreate;
  return (
    <Editor
      title={row?.name ?? redaction.new}
      submit={words.actions.save}
      named={words.fields.redaction}
      typed={[values, rules]}
      save={() =>
        row === null
          ? client.post('/redaction-policies', { body })
          : client.put('/redaction-policies/{id}', { path: { id: row.id }, body })
      }
      remove={
        row === null
          ? undefined
          : {
              title: redaction.confirmDelete(row.name),
              hint: redaction.deleteHint,
              run: () => client.delete('/redaction-policies/{id}', { path: { id: row.id } }),
            }
      }
      isIncomplete={rules.length === 0 || values['applies_to'] === undefined}
      close={close}
    >
      <Loaded query={schema}>
        {(known) => (
          <SchemaForm
            schema={known}
            values={values}
            change={setValues}
            named={words.fields.redaction}
            isWhole
          />
        )}
      </Loaded>
      <p>
        {redaction.storedHint}{' '}
        <Link to="/administration" search={{ tab: 'policies' }}>
          {redaction.accessHint}
        </Link>
      </p>
      <RedactionRules rules={rules} change={setRules} />
      <RedactionTrial rules={rules} />
    </Editor>
  );
};
