import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Source } from 'knowledger-client';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../../session.ts';
import { bytes } from '../../ui/format.ts';
import { TODAY, useAddress } from '../../ui/address.ts';
import { History } from '../../ui/history.tsx';
import { List } from '../../ui/list.tsx';
import { Empty, Failure, isNotFound, Loaded, Time } from '../../ui/parts.tsx';
import type { Column } from '../../ui/rows.tsx';
import { words } from '../../words.ts';

const COLUMNS: readonly Column<Source>[] = [
  { title: words.sources.name, width: 'minmax(10rem, 3fr)', cell: ({ title, url }) => title || url },
  {
    title: words.sources.state,
    width: '7rem',
    cell: ({ status }) => <span className={`item-${status}`}>{words.document.states[status]}</span>,
  },
  { title: words.sources.kind, width: '5rem', cell: ({ file_type: type }) => type ?? '—', isExtra: true },
  {
    title: words.sources.passages,
    width: '6rem',
    cell: ({ content_count: n }) => n.toLocaleString(),
    isNumber: true,
    isExtra: true,
  },
  { title: 'Indexed', width: '8rem', cell: ({ indexed_time: at }) => <Time at={at} />, isExtra: true },
];

export const Documents = ({ groupId }: { readonly groupId: string }) => {
  const client = useClient();
  const { asked, set } = useAddress();
  const { document, as_of: asOf } = asked;
  return (
    <List
      name={words.source.documents}
      of={groupId}
      read={async (page, signal) => {
        const query = { source_group_id: groupId, ...page };
        const { sources: rows, pagination } = await client.get('/sources', { query, signal });
        return { rows, pagination };
      }}
      columns={COLUMNS}
      empty={<Empty title={words.source.noDocuments} />}
      keyOf={({ id }) => id}
      marked={document}
      open={({ id }) => set({ document: id, passage: undefined, at: asOf })}
      beside={
        document === undefined ? undefined : (
          <Document
            key={document}
            id={document}
            close={() => set({ document: undefined, passage: undefined, at: undefined })}
          />
        )
      }
    />
  );
};

const Document = ({ id, close }: { readonly id: string; readonly close: () => void }) => {
  const box = useRef<HTMLElement>(null);
  // On a narrow screen it is below the list.
  useEffect(() => {
    // A newer browser answers with a promise, which must not be taken for the clean-up.
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const client = useClient();
  const { asked, set } = useAddress();
  const [kept, setKept] = useState<'passages' | 'stored'>('passages');
  const shows = asked.at === undefined ? kept : 'history';
  const source = useQuery({
    queryKey: ['source', id],
    queryFn: ({ signal }) => client.get('/sources/{id}', { path: { id }, signal }),
  });
  const contents = useInfiniteQuery({
    queryKey: ['contents', id],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      client.get('/sources/{id}/contents', {
        path: { id },
        query: { limit: 100, ...(pageParam !== '' && { after: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.next_id : undefined),
  });
  const passages = contents.data?.pages.flatMap((page) => page.contents) ?? [];
  const isSought = asked.passage !== undefined && !passages.some((one) => one.id === asked.passage);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = contents;
  useEffect(() => {
    if (isSought && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isSought, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const history = <History path="/sources/{id}" id={id} />;
  const shut = (
    <button type="button" className="quiet" aria-label={words.actions.close} onClick={close}>
      ✕
    </button>
  );
  if (isNotFound(source.error))
    return (
      <section className="card document" ref={box}>
        <div className="dialog-head">
          <h2>{words.history.deletedSince}</h2>
          {shut}
        </div>
        {history}
      </section>
    );
  return (
    <section className="card document" ref={box}>
      <Loaded query={source}>
        {({ title, url, size, media_type: type, error, skip_reason: skipped }) => (
          <>
            <div className="dialog-head">
              <h2>{title || url}</h2>
              {shut}
            </div>
            <p className="facts-line">
              {/^https?:/.test(url) && (
                <a href={url} target="_blank" rel="noreferrer">
                  {url}
                </a>
              )}
              <span className="faint">
                {type} {size !== undefined && bytes(size)}
              </span>
            </p>
            {error !== undefined && <p className="failure">{error.message}</p>}
            {skipped !== undefined && <p className="failure">{skipped}</p>}
            <div className="tabs">
              {(['passages', 'stored', 'history'] as const).map((one) => (
                <button
                  key={one}
                  type="button"
                  className="tab"
                  aria-pressed={shows === one}
                  onClick={() => {
                    if (one !== 'history') setKept(one);
                    set({ at: one === 'history' ? TODAY : undefined });
                  }}
                >
                  {words.document[one]}
                </button>
              ))}
            </div>
            {shows === 'history' ? (
              history
            ) : shows === 'stored' ? (
              <Stored id={id} mediaType={type ?? ''} />
            ) : (
              <Loaded query={contents}>
                {() => (
                  <ol className="passages">
                    {passages.map(({ id: passage, text, page_number: page }, i) => (
                      <li
                        key={passage}
                        className={passage === asked.passage ? 'marked' : ''}
                        ref={passage === asked.passage ? toMiddle : undefined}
                      >
                        <span className="faint">
                          {words.document.passage(i + 1)}
                          {page > 0 && `, p. ${page}`}
                        </span>
                        <pre>{text}</pre>
                      </li>
                    ))}
                    {contents.hasNextPage && (
                      <button
                        type="button"
                        disabled={contents.isFetchingNextPage}
                        onClick={() => void contents.fetchNextPage()}
                      >
                        {words.actions.more}
                      </button>
                    )}
                  </ol>
                )}
              </Loaded>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
};

const toMiddle = (passage: HTMLElement | null): void => passage?.scrollIntoView({ block: 'center' });

/** The stored bytes: pictures and PDFs as such, everything else as text, so that nothing in it runs. */
const Stored = ({ id, mediaType }: { readonly id: string; readonly mediaType: string }) => {
  const client = useClient();
  const [file, setFile] = useState<{ readonly url?: string; readonly text?: string } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const isPicture = /^image\/(png|jpeg|webp|gif)/.test(mediaType);
  const isPdf = mediaType.startsWith('application/pdf');
  useEffect(() => {
    const over = new AbortController();
    let url: string | undefined;
    const read = async (): Promise<void> => {
      const response = await client.raw('GET', '/sources/{id}/raw', { path: { id }, signal: over.signal });
      if (!isPicture && !isPdf) return setFile({ text: await response.text() });
      url = URL.createObjectURL(
        new Blob([await response.arrayBuffer()], { type: isPdf ? 'application/pdf' : mediaType }),
      );
      setFile({ url });
    };
    read().catch((error: unknown) => over.signal.aborted || setFailure(error));
    return () => {
      over.abort();
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [client, id, isPdf, isPicture, mediaType]);
  if (failure !== null) return <Failure error={failure} />;
  if (file?.text !== undefined) return <pre className="stored">{file.text}</pre>;
  if (file?.url === undefined) return <div className="loading" role="status" aria-label="Loading" />;
  return isPdf ? (
    <iframe className="stored" title={words.document.stored} src={file.url} />
  ) : (
    <img className="stored" alt="" src={file.url} />
  );
};
