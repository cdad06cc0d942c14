import { useNavigate, useSearch } from '@tanstack/react-router';
import type { SourceType } from 'knowledger-client';
import { useMemo, useState } from 'react';
import { type Kind, KINDS, kindOf } from '../kinds.ts';
import { once } from '../idempotency.ts';
import { useClient } from '../session.ts';
import { Failure, Loaded, Page } from '../ui/parts.tsx';
import { useBodySchema } from '../ui/body-schema.ts';
import type { Values } from '../ui/schema-form.tsx';
import { Files } from './source/files.tsx';
import { SourceFields } from './source/source-fields.tsx';
import { Trial } from './source/trial.tsx';
import { words } from '../words.ts';
import './source/source.css';

export const CreateSource = () => {
  const navigate = useNavigate();
  const { type = 'crawl' } = useSearch({ from: '/sources/new' });
  const kind = kindOf(type as SourceType);
  // What was typed stays while another kind is looked at.
  const [values, setValues] = useState<Readonly<Record<string, Values>>>({
    crawl: { max_depth: 3, max_num_files: 500 },
  });
  return (
    <Page title={words.create.title}>
      <div className="kinds" role="radiogroup" aria-label={words.sources.kind}>
        {KINDS.map((one) => (
          <label key={one.type} className={`kind${one === kind ? ' chosen' : ''}`}>
            <input
              type="radio"
              name="kind"
              checked={one === kind}
              onChange={() =>
                void navigate({ to: '/sources/new', search: { type: one.type }, replace: true })
              }
            />
            {words.kinds[one.type]}
          </label>
        ))}
      </div>
      {kind.schema === null ? (
        <Files key={kind.type} />
      ) : (
        <Form
          key={kind.type}
          kind={kind}
          schema={kind.schema}
          values={values[kind.type] ?? {}}
          change={(changed) => setValues({ ...values, [kind.type]: changed })}
        />
      )}
    </Page>
  );
};

const Form = ({
  kind,
  schema,
  values,
  change,
}: {
  readonly kind: Kind;
  readonly schema: string;
  readonly values: Values;
  readonly change: (values: Values) => void;
}) => {
  const client = useClient();
  const navigate = useNavigate();
  // The same body has the same key, so that it creates one source however often it is sent.
  const headers = useMemo(once, [values]);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const body = useBodySchema(schema);
  const create = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const response = await client.raw('POST', kind.path, {
        body: values,
        headers,
      });
      const { id } = (await response.json()) as { readonly id: string };
      await navigate({
        to: '/sources/$type/$id',
        params: { type: kind.type, id },
        search: kind.type === 'push' ? { tab: 'push' } : {},
      });
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <Loaded query={body}>
      {(known) => (
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            void create();
          }}
        >
          <SourceFields kind={kind} schema={known} values={values} change={change} />
          <Trial kind={kind} values={values} />
          {failure !== null && <Failure error={failure} named={words.fields.sources[kind.type]} />}
          <div className="actions">
            <button type="submit" className="main" disabled={isBusy}>
              {words.actions.create}
            </button>
          </div>
        </form>
      )}
    </Loaded>
  );
};
