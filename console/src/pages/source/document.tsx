import { useQuery } from '@tanstack/react-query';
import type { Source } from 'knowledger-client';
import { type ReactNode, useState } from 'react';
import { useClient } from '../../session.ts';
import { bytes } from '../../ui/format.ts';
import { TODAY, useAddress } from '../../ui/address.ts';
import { useEscape } from '../../ui/keys.ts';
import { History } from '../../ui/history.tsx';
import { isNotFound, Loaded } from '../../ui/parts.tsx';
import { words } from '../../words.ts';
import { type HighlightsOf, MarkedText } from './marked-text.tsx';
import { Stored } from './stored.tsx';
import { textOf } from './text.ts';
import { usePassages } from './passages.ts';
import './source.css';

/** One document: its passages marked on its text, the text alone, the stored file, and what became of it. Escape closes it. */
export const Document = ({
  id,
  close,
  leadsTo,
  highlights,
}: {
  readonly id: string;
  readonly close: () => void;
  /** What leads to its source. */
  readonly leadsTo?: (source: Source) => ReactNode;
  /** Of the passages that were found. */
  readonly highlights?: HighlightsOf;
}) => {
  const client = useClient();
  const { asked, set } = useAddress();
  useEscape(close);
  const [kept, setKept] = useState<'passages' | 'text' | 'stored'>('passages');
  const shows = asked.at === undefined ? kept : 'history';
  const source = useQuery({
    queryKey: ['source', id],
    queryFn: ({ signal }) => client.get('/sources/{id}', { path: { id }, signal }),
  });
  const contents = usePassages(id, asked.passage);
  const { passages, before } = contents;
  const history = <History path="/sources/{id}" id={id} />;
  const shut = (
    <button type="button" className="quiet" aria-label={words.actions.close} onClick={close}>
      ✕
    </button>
  );
  if (isNotFound(source.error))
    return (
      <section className="card document">
        <div className="dialog-head">
          <h2>{words.history.deletedSince}</h2>
          {shut}
        </div>
        {history}
      </section>
    );
  return (
    <section className="card document">
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
              {source.data !== undefined && leadsTo?.(source.data)}
              <span className="faint">
                {type} {size !== undefined && bytes(size)}
              </span>
            </p>
            {error !== undefined && <p className="failure">{error.message}</p>}
            {skipped !== undefined && <p className="failure">{skipped}</p>}
            <div className="tabs">
              {(['passages', 'text', 'stored', 'history'] as const).map((one) => (
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
              <Stored id={id} mediaType={type ?? ''} name={url.split('/').at(-1) || title} />
            ) : (
              <Loaded query={contents.query}>
                {() => (
                  <>
                    {before > 0 && (
                      <button
                        type="button"
                        disabled={contents.query.isFetchingPreviousPage}
                        onClick={() => void contents.query.fetchPreviousPage()}
                      >
                        {words.document.earlier(before)}
                      </button>
                    )}
                    {passages.length === 0 ? (
                      <p className="faint">{words.document.noText}</p>
                    ) : shows === 'text' ? (
                      <pre className="document-text">{textOf(passages).text}</pre>
                    ) : (
                      <MarkedText
                        passages={passages}
                        before={before}
                        sought={asked.passage}
                        highlights={highlights}
                      />
                    )}
                    {contents.query.hasNextPage && (
                      <button
                        type="button"
                        disabled={contents.query.isFetchingNextPage}
                        onClick={() => void contents.query.fetchNextPage()}
                      >
                        {words.actions.more}
                      </button>
                    )}
                  </>
                )}
              </Loaded>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
};
