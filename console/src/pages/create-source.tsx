import { useNavigate, useSearch } from '@tanstack/react-router';
import type { SourceType } from 'knowledger-client';
import { useState } from 'react';
import { type Kind, KINDS, kindOf } from '../kinds.ts';
import { useClient } from '../session.ts';
import { bytes } from '../ui/format.ts';
import { Failure, Loaded, Page } from '../ui/parts.tsx';
import { useBodySchema } from '../ui/body-schema.ts';
import { SchemaForm } from '../ui/schema-form.tsx';
import { words } from '../words.ts';

export const CreateSource = () => {
  const navigate = useNavigate();
  const { type = 'crawl' } = useSearch({ from: '/sources/new' });
  const kind = kindOf(type as SourceType);
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
        <Form key={kind.type} kind={kind} schema={kind.schema} />
      )}
    </Page>
  );
};

const Form = ({ kind, schema }: { readonly kind: Kind; readonly schema: string }) => {
  const client = useClient();
  const navigate = useNavigate();
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>(
    kind.type === 'crawl' ? { max_depth: 3, max_num_files: 500 } : {},
  );
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const body = useBodySchema(schema);
  const create = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const response = await client.raw('POST', kind.path, {
        body: values,
        headers: { 'idempotency-key': crypto.randomUUID() },
      });
      const { id } = (await response.json()) as { readonly id: string };
      await navigate({ to: '/sources/$type/$id', params: { type: kind.type, id } });
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
          <SchemaForm schema={known} values={values} change={setValues} leaveOut={['metadata']} />
          {failure !== null && <Failure error={failure} />}
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

/** Files are sent with the progress of the whole. */
const Files = () => {
  const client = useClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [isOver, setOver] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const add = (list: FileList | null): void => setFiles([...files, ...(list ?? [])]);
  const send = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    const form = new FormData();
    form.set('name', name === '' ? (files[0]?.name ?? '') : name);
    for (const file of files) {
      form.append('files', file, file.webkitRelativePath || file.name);
      form.append('last_modified', String(file.lastModified));
    }
    try {
      const response = await client.raw('POST', '/local-file-groups', { body: form });
      const { id } = (await response.json()) as { readonly id: string };
      await navigate({ to: '/sources/$type/$id', params: { type: 'local_file', id } });
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div className="field">
        <label htmlFor="field-name">{words.sources.name}</label>
        <input
          id="field-name"
          maxLength={200}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </div>
      <label
        className={`drop${isOver ? ' over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          add(event.dataTransfer.files);
        }}
      >
        {words.create.files}
        <input type="file" multiple onChange={({ target }) => add(target.files)} />
      </label>
      {files.length > 0 && (
        <p>{words.create.chosen(files.length, bytes(files.reduce((sum, { size }) => sum + size, 0)))}</p>
      )}
      {failure !== null && <Failure error={failure} />}
      <div className="actions">
        <button type="submit" className="main" disabled={isBusy || files.length === 0}>
          {words.actions.create}
        </button>
      </div>
    </form>
  );
};
