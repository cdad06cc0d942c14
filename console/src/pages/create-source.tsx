import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { SourceType } from 'knowledger-client';
import { useMemo, useState } from 'react';
import { type Kind, KINDS, kindOf } from '../kinds.ts';
import { once } from '../idempotency.ts';
import { useClient } from '../session.ts';
import { bytes } from '../ui/format.ts';
import { Failure, Loaded, Page } from '../ui/parts.tsx';
import { useBodySchema } from '../ui/body-schema.ts';
import { SchemaForm } from '../ui/schema-form.tsx';
import { NextTimes } from './source/next-times.tsx';
import { words } from '../words.ts';

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

type Values = Readonly<Record<string, unknown>>;

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
          <SchemaForm schema={known} values={values} change={change} leaveOut={['metadata']}>
            {{
              rrule: <NextTimes rrule={values['rrule']} />,
              start_url: <TryAddress url={values['start_url']} useBrowser={values['use_browser'] === true} />,
            }}
          </SchemaForm>
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

/** Reads the page without keeping it, and shows what searches would find in it. */
const TryAddress = ({ url, useBrowser }: { readonly url: unknown; readonly useBrowser: boolean }) => {
  const client = useClient();
  const page = useMutation({
    mutationFn: (address: string) =>
      client.post('/scrape', {
        body: { url: address, formats: ['markdown', 'metadata'], ...(useBrowser && { use_browser: true }) },
      }),
  });
  if (typeof url !== 'string') return null;
  return (
    <div className="try">
      <button type="button" className="chip" disabled={page.isPending} onClick={() => page.mutate(url)}>
        {words.create.tryAddress}
      </button>
      {page.error !== null && <Failure error={page.error} />}
      {page.data !== undefined && (
        <blockquote className="preview">
          <strong>{page.data.metadata?.title}</strong>
          <p>{page.data.markdown?.slice(0, PREVIEWED)}</p>
        </blockquote>
      )}
    </div>
  );
};

const PREVIEWED = 400;

interface Chosen {
  readonly file: File;
  /** From the folder that was chosen or dropped. */
  readonly path: string;
}

const called = <Result,>(method: (done: (result: Result) => void, fail: (error: unknown) => void) => void) =>
  new Promise<Result>(method);

/** The file of an entry, or all files below it. A folder tells its entries in parts, behind them none. */
const filesIn = async (entry: FileSystemEntry): Promise<readonly Chosen[]> => {
  if (entry.isFile) {
    const file = await called<File>((...to) => (entry as FileSystemFileEntry).file(...to));
    return [{ file, path: entry.fullPath.slice(1) }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const all: Chosen[] = [];
  for (;;) {
    const part = await called<FileSystemEntry[]>((...to) => reader.readEntries(...to));
    if (part.length === 0) return all;
    for (const one of part) all.push(...(await filesIn(one)));
  }
};

/** Files, and all those in folders, are sent with the progress of the whole; an upload can be given up. */
const Files = () => {
  const client = useClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [files, setFiles] = useState<readonly Chosen[]>([]);
  const [isOver, setOver] = useState(false);
  const [progress, setProgress] = useState<{ readonly sent: number; readonly total: number } | null>(null);
  const [sending, setSending] = useState<AbortController | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const isBusy = sending !== null;
  const add = (more: readonly Chosen[]): void => setFiles((before) => [...before, ...more]);
  const choose = (list: FileList | null): void =>
    add([...(list ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name })));
  const drop = async (entries: readonly FileSystemEntry[]): Promise<void> => {
    try {
      for (const entry of entries) add(await filesIn(entry));
    } catch (error) {
      setFailure(error);
    }
  };
  const send = async (): Promise<void> => {
    const controller = new AbortController();
    setSending(controller);
    setFailure(null);
    const form = new FormData();
    form.set('name', name === '' ? (files[0]?.file.name ?? '') : name);
    for (const { file, path } of files) {
      form.append('files', file, path);
      form.append('last_modified', String(file.lastModified));
    }
    try {
      const onProgress = (sent: number, total: number): void => setProgress({ sent, total });
      const { signal } = controller;
      const { source_group_id: id } = await client.upload('/local-file-groups', form, { signal, onProgress });
      await navigate({ to: '/sources/$type/$id', params: { type: 'local_file', id } });
    } catch (error) {
      if (!controller.signal.aborted) setFailure(error);
      setSending(null);
      setProgress(null);
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
          void drop([...event.dataTransfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []));
        }}
      >
        {words.create.files}
        <input type="file" multiple onChange={({ target }) => choose(target.files)} />
      </label>
      <label className="field">
        <span>{words.create.folder}</span>
        <input
          type="file"
          multiple
          {...{ webkitdirectory: '' }}
          onChange={({ target }) => choose(target.files)}
        />
      </label>
      {files.length > 0 && (
        <p>{words.create.chosen(files.length, bytes(files.reduce((sum, { file }) => sum + file.size, 0)))}</p>
      )}
      {progress !== null && (
        <label className="field">
          <span>{words.create.sent(bytes(progress.sent), bytes(progress.total))}</span>
          <progress value={progress.sent} max={progress.total} />
        </label>
      )}
      {failure !== null && <Failure error={failure} />}
      <div className="actions">
        <button type="submit" className="main" disabled={isBusy || files.length === 0}>
          {words.actions.create}
        </button>
        {isBusy && (
          <button type="button" onClick={() => sending.abort(new Error('given up'))}>
            {words.actions.cancel}
          </button>
        )}
      </div>
    </form>
  );
};
