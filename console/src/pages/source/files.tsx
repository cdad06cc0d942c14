import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { bytes } from '../../ui/format.ts';
import { Failure } from '../../ui/parts.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { words } from '../../words.ts';
import type { Upload } from './batches.ts';
import { useUploads } from './upload.ts';

type Chosen = Pick<Upload, 'file' | 'path'>;

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

/** The folder that all are in, or the only file; of several without a folder nothing. */
const offeredName = (paths: readonly string[]): string => {
  const folders = new Set(paths.map((path) => (paths.length > 1 ? path.split('/').slice(0, -1)[0] : path)));
  return folders.size === 1 ? ([...folders][0] ?? '') : '';
};

/** Files, and all those in folders, become a source, or come into one that there is. Each tells how far it is. */
export const Files = ({ into }: { readonly into?: string }) => {
  const navigate = useNavigate();
  const [typed, setTyped] = useState<string>();
  const [isOver, setOver] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const { uploads, group, isBusy, add, send, cancel, again } = useUploads(into);
  const name = typed ?? offeredName(uploads.map(({ path }) => path));
  const choose = (list: FileList | null): void =>
    add([...(list ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name })));
  const drop = async (entries: readonly FileSystemEntry[]): Promise<void> => {
    try {
      for (const entry of entries) add(await filesIn(entry));
    } catch (error) {
      setFailure(error);
    }
  };
  const start = async (): Promise<void> => {
    setFailure(null);
    const id = await send(name);
    if (id !== undefined) await navigate({ to: '/sources/$type/$id', params: { type: 'local_file', id } });
  };
  const retry = (which: (upload: Upload) => boolean): void => {
    const hasBegun = group !== undefined || uploads.some((one) => one.state === 'failed' && which(one));
    again(which);
    if (!isBusy && hasBegun) void start();
  };
  const countOf = (...states: readonly Upload['state'][]): number =>
    uploads.filter(({ state }) => states.includes(state)).length;
  const [waiting, open, failed] = [countOf('waiting'), countOf('waiting', 'sending'), countOf('failed')];
  const leftOut = uploads.filter(({ isLeftOut }) => isLeftOut);
  const meant = uploads.filter(({ state }) => state !== 'canceled');
  const total = meant.reduce((sum, { file }) => sum + file.size, 0);
  const sent = meant.reduce((sum, { file, state, sent: n }) => sum + (state === 'stored' ? file.size : n), 0);
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      {into === undefined ? (
        <fieldset disabled={isBusy || group !== undefined} className="bare">
          <Field
            property={NAME}
            isRequired
            value={name}
            change={(value) => setTyped((value as string | undefined) ?? '')}
            words={words.fields.sources.local_file.name}
          />
        </fieldset>
      ) : (
        <p className="faint">{words.create.addHint}</p>
      )}
      <div
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
        {words.create.drop}
        <div className="actions">
          {(['files', 'folder'] as const).map((what) => (
            <label key={what} className="button">
              {words.create[what]}
              <input
                type="file"
                className="unseen"
                multiple
                {...(what === 'folder' && { webkitdirectory: '' })}
                onChange={({ target }) => {
                  choose(target.files);
                  // The same ones can be chosen again.
                  target.value = '';
                }}
              />
            </label>
          ))}
        </div>
      </div>
      {uploads.length > 0 && (
        <>
          <label className="field">
            <span>
              {words.create.chosen(meant.length, bytes(total))}
              {sent > 0 && `, ${words.create.sent(bytes(sent), bytes(total))}`}
            </span>
            <progress value={sent} max={Math.max(1, total)} />
          </label>
          <Rows
            label={words.create.uploads}
            rows={uploads}
            columns={columnsOf(
              (upload) => cancel((one) => one === upload),
              (upload) => retry((one) => one === upload),
            )}
            keyOf={({ path }) => path}
          />
        </>
      )}
      {failure !== null && <Failure error={failure} named={words.fields.sources.local_file} />}
      {leftOut.length > 0 && !isBusy && (
        <p role="status">{words.create.leftOut(leftOut.map(({ path }) => path))}</p>
      )}
      <div className="actions">
        <button type="submit" className="main" disabled={isBusy || waiting === 0}>
          {into === undefined ? words.actions.create : words.create.send}
        </button>
        {open > 0 && (
          <button type="button" onClick={() => cancel(() => true)}>
            {words.create.cancelAll(open)}
          </button>
        )}
        {failed + leftOut.length > 0 && (
          <button
            type="button"
            onClick={() => retry(({ state, isLeftOut }) => state === 'failed' || isLeftOut === true)}
          >
            {words.problems.retryAll(failed + leftOut.length)}
          </button>
        )}
        {group !== undefined && into === undefined && !isBusy && (
          <Link to="/sources/$type/$id" params={{ type: 'local_file', id: group }} className="button">
            {words.create.toSource}
          </Link>
        )}
      </div>
    </form>
  );
};

const NAME = { type: 'string', maxLength: 200 } as const;

const columnsOf = (
  cancel: (upload: Upload) => void,
  again: (upload: Upload) => void,
): readonly Column<Upload>[] => [
  {
    title: words.create.file,
    width: 'minmax(8rem, 3fr)',
    cell: ({ path }) => <span title={path}>{path}</span>,
  },
  {
    title: words.create.size,
    width: '5rem',
    cell: ({ file }) => bytes(file.size),
    isNumber: true,
    isExtra: true,
  },
  {
    title: words.sources.state,
    width: 'minmax(7rem, 2fr)',
    cell: ({ state, sent, file, reason, path }) =>
      state === 'sending' ? (
        <progress aria-label={path} value={sent} max={Math.max(1, file.size)} />
      ) : (
        <span className={state === 'failed' ? 'reason' : 'faint'} title={reason}>
          {words.create.states[state]}
          {reason !== undefined && `: ${reason}`}
        </span>
      ),
    isExtra: true,
  },
  {
    title: words.actions.cancel,
    isUntitled: true,
    width: '6rem',
    cell: (upload) =>
      upload.state === 'waiting' || upload.state === 'sending' ? (
        <button
          type="button"
          className="chip"
          aria-label={`${words.actions.cancel} ${upload.path}`}
          onClick={() => cancel(upload)}
        >
          {words.actions.cancel}
        </button>
      ) : (
        upload.state !== 'stored' && (
          <button
            type="button"
            className="chip"
            aria-label={`${words.problems.retry} ${upload.path}`}
            onClick={() => again(upload)}
          >
            {words.problems.retry}
          </button>
        )
      ),
  },
];
