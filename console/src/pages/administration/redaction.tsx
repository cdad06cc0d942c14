import { useMutation } from '@tanstack/react-query';
import type { RedactionPolicy, RedactionRule, RedactionTestResult } from 'knowledger-client';
import { type ReactNode, useState } from 'react';
import Markdown from 'react-markdown';
import { useClient } from '../../session.ts';
import { useBodySchema } from '../../ui/body-schema.ts';
import { Failure, Loaded, Time } from '../../ui/parts.tsx';
import type { Column } from '../../ui/rows.tsx';
import { Choices } from '../../ui/schema-form.tsx';
import { words } from '../../words.ts';
import { Editor, Records } from './records.tsx';

const { redaction, ...general } = words.administration;

const PLACES: readonly string[] = ['ingestion', 'content', 'completion', 'agent'];

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
    cell: ({ applies_to: places }) => <span className="faint">{places.join(', ')}</span>,
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
  const [name, setName] = useState(row?.name ?? '');
  const [rules, setRules] = useState<readonly RedactionRule[]>(
    row?.rules ?? [{ name: 'email', kind: 'email' }],
  );
  const [places, setPlaces] = useState<readonly string[]>(row?.applies_to ?? ['content', 'completion']);
  const body = { name, rules, applies_to: places as RedactionPolicy['applies_to'] };
  return (
    <Editor
      title={row?.name ?? redaction.new}
      submit={words.actions.save}
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
      isIncomplete={name.trim() === '' || rules.length === 0 || places.length === 0}
      close={close}
      behind={row !== null && <Test id={row.id} />}
    >
      <div className="field">
        <label htmlFor="redaction-name">{general.name}</label>
        <input
          id="redaction-name"
          required
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </div>
      <Rules rules={rules} change={setRules} />
      <div className="field">
        <span>{redaction.appliesTo}</span>
        <Choices choices={PLACES} chosen={places} change={setPlaces} />
      </div>
    </Editor>
  );
};

const Rules = ({
  rules,
  change,
}: {
  readonly rules: readonly RedactionRule[];
  readonly change: (rules: readonly RedactionRule[]) => void;
}) => {
  const schema = useBodySchema('RedactionRule');
  const set = (index: number, of: Partial<Record<keyof RedactionRule, string>>): void =>
    change(
      rules.map((rule, i) => {
        if (i !== index) return rule;
        const { pattern, replacement, ...kept } = { ...rule, ...of } as RedactionRule;
        return {
          ...kept,
          ...(kept.kind === 'pattern' && { pattern: pattern ?? '' }),
          ...(replacement !== undefined && replacement !== '' && { replacement }),
        };
      }),
    );
  return (
    <fieldset className="field picker">
      <legend>{redaction.rules}</legend>
      <Loaded query={schema}>
        {({ properties: { kind } }) => (
          <>
            {rules.map((rule, index) => (
              // Rules have no id, and their names change while they are typed.
              <div key={index} className="rule">
                <input
                  aria-label={general.name}
                  placeholder={general.name}
                  required
                  value={rule.name}
                  onChange={({ target }) => set(index, { name: target.value })}
                />
                <select
                  aria-label={redaction.kind}
                  value={rule.kind}
                  onChange={({ target }) => set(index, { kind: target.value })}
                >
                  {kind?.enum?.map((one) => (
                    <option key={one}>{one}</option>
                  ))}
                </select>
                <input
                  aria-label={redaction.pattern}
                  placeholder={redaction.pattern}
                  required={rule.kind === 'pattern'}
                  disabled={rule.kind !== 'pattern'}
                  value={rule.pattern ?? ''}
                  onChange={({ target }) => set(index, { pattern: target.value })}
                />
                <input
                  aria-label={redaction.replacement}
                  placeholder={rule.name === '' ? redaction.replacement : `[${rule.name}]`}
                  value={rule.replacement ?? ''}
                  onChange={({ target }) => set(index, { replacement: target.value })}
                />
                <button
                  type="button"
                  className="quiet"
                  aria-label={redaction.removeRule}
                  onClick={() => change(rules.filter((_, i) => i !== index))}
                >
                  ✕
                </button>
              </div>
            ))}
            <div className="actions">
              <button
                type="button"
                onClick={() => change([...rules, { name: '', kind: 'pattern', pattern: '' }])}
              >
                {redaction.addRule}
              </button>
            </div>
            <details>
              <summary>{redaction.kinds}</summary>
              <div className="rules-beside">
                <Markdown>{kind?.description ?? ''}</Markdown>
              </div>
            </details>
          </>
        )}
      </Loaded>
    </fieldset>
  );
};

const Test = ({ id }: { readonly id: string }) => {
  const client = useClient();
  const [text, setText] = useState('');
  const test = useMutation({
    mutationFn: async (asked: string) => ({
      asked,
      result: await client.post('/redaction-policies/{id}/test', { path: { id }, body: { text: asked } }),
    }),
  });
  return (
    <form
      className="form picker"
      onSubmit={(event) => {
        event.preventDefault();
        test.mutate(text);
      }}
    >
      <div className="field">
        <label htmlFor="redaction-text">{redaction.text}</label>
        <textarea
          id="redaction-text"
          rows={4}
          required
          maxLength={100_000}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <small>{redaction.testHint}</small>
      </div>
      <div className="actions">
        <button type="submit" disabled={test.isPending}>
          {redaction.test}
        </button>
      </div>
      {test.error !== null && <Failure error={test.error} />}
      {test.data !== undefined && (
        <div role="status" className="form">
          <p className="faint">{redaction.findings(test.data.result.findings.length)}</p>
          <p className="found">{marked(test.data.asked, test.data.result.findings)}</p>
          <strong>{redaction.result}</strong>
          <p className="found">{test.data.result.text}</p>
        </div>
      )}
    </form>
  );
};

/** Offsets count UTF-16 units, as those of texts here do. */
const marked = (text: string, findings: RedactionTestResult['findings']): ReactNode => {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { rule, start, end } of findings.toSorted((one, other) => one.start - other.start)) {
    parts.push(
      text.slice(at, start),
      <mark key={start} title={rule}>
        {text.slice(Math.max(at, start), end)}
      </mark>,
    );
    at = Math.max(at, end);
  }
  return [...parts, text.slice(at)];
};
