import { useQuery } from '@tanstack/react-query';
import type { AuthzPolicy, AuthzPolicyReplacement } from 'knowledger-client';
import { useState } from 'react';
import Markdown from 'react-markdown';
import { useClient } from '../../session.ts';
import { useStatus } from '../../status.ts';
import { textIn } from '../../ui/forms.ts';
import { Card, Empty, Loaded, Time } from '../../ui/parts.tsx';
import type { Column } from '../../ui/rows.tsx';
import { useBodySchema } from '../../ui/body-schema.ts';
import { words } from '../../words.ts';
import { usePolicyNames } from './policy-names.ts';
import { Editor, JsonField, jsonOf, jsonProblem, Records } from './records.tsx';

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
      <Bench />
    </>
  );
};
export default Policies;

const EXAMPLE: AuthzPolicyReplacement = {
  description: '',
  source_metadata: {
    filters: [{ key: 'department', operator: 'in', val: { subject: 'department' } }],
  },
};

const PolicyEditor = ({ row, close }: { readonly row: AuthzPolicy | null; readonly close: () => void }) => {
  const client = useClient();
  const [name, setName] = useState(row?.name ?? '');
  const [text, setText] = useState(() => {
    if (row === null) return jsonOf(EXAMPLE);
    const { name: _, creation_time: __, ...body } = row;
    return jsonOf(body);
  });
  return (
    <Editor
      title={row?.name ?? policies.new}
      submit={words.actions.save}
      save={() => {
        const body = JSON.parse(text) as AuthzPolicyReplacement;
        return row === null
          ? client.post('/authz-policies', { body: { ...body, name } })
          : client.put('/authz-policies/{name}', { path: { name: row.name }, body });
      }}
      remove={
        row === null
          ? undefined
          : {
              title: policies.confirmDelete(row.name),
              hint: policies.deleteHint,
              run: () => client.delete('/authz-policies/{name}', { path: { name: row.name } }),
            }
      }
      isIncomplete={name === '' || jsonProblem(text) !== null}
      close={close}
    >
      <div className="with-rules">
        <div className="form">
          {row === null && (
            <div className="field">
              <label htmlFor="policy-name">{general.name}</label>
              <input
                id="policy-name"
                required
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            </div>
          )}
          <JsonField id="policy-body" label={policies.body} text={text} change={setText} rows={14} />
        </div>
        <Rules />
      </div>
    </Editor>
  );
};

/** What the schema says of the body. */
const Rules = () => {
  const body = useBodySchema('AuthzPolicyCreate');
  const filter = useBodySchema('Filter');
  return (
    <div className="rules-beside">
      <Loaded query={body}>
        {({ properties }) =>
          Object.entries(properties).map(([name, { description, pattern }]) => (
            <Markdown key={name}>{`\`${name}\` ${description ?? `\`${pattern ?? ''}\``}`}</Markdown>
          ))
        }
      </Loaded>
      <h3>{policies.rulesHint}</h3>
      <Loaded query={filter}>
        {({ description, properties }) => (
          <>
            <p>{description}</p>
            <ul>
              {Object.entries(properties['filters']?.items?.properties ?? {}).map(([name, rule]) => (
                <li key={name}>
                  <code>{name}</code> {rule.enum?.join(', ') ?? rule.description}
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </div>
  );
};

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
      {status?.authz === false ? (
        <p className="failure">{policies.benchOff}</p>
      ) : (
        <p className="faint">{policies.benchHint}</p>
      )}
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
          <span>{policies.principal}</span>
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
