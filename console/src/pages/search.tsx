import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { FileType, SourceType } from 'knowledger-client';
import { textIn } from '../ui/forms.ts';
import { useMay } from '../may.tsx';
import { useClient } from '../session.ts';
import { Empty, Loaded, Page } from '../ui/parts.tsx';
import { GroupChip } from '../ui/group-chip.tsx';
import { KindFilter } from '../ui/kind-filter.tsx';
import { words } from '../words.ts';
import type { OpenContent } from './search/answer.tsx';
import { Answer } from './search/ask.tsx';
import { Beside } from './search/beside.tsx';
import { Hit } from './search/hit.tsx';

export const Search = () => {
  const client = useClient();
  const mayAsk = useMay()('inference:run');
  const navigate = useNavigate();
  const { document, passage, at: _, ...asked } = useSearch({ from: '/search' });
  const { q = '' } = asked;
  const filter = {
    ...(asked.type !== undefined && { source_types: [asked.type as SourceType] }),
    ...(asked.file !== undefined && { file_types: [asked.file as FileType] }),
    ...(asked.group !== undefined && { source_group_ids: [asked.group] }),
  };
  const query = useQuery({
    // Not live: each search may cost an embedding, and hits that move are hard to read.
    queryKey: ['static', 'search', asked],
    enabled: q !== '',
    queryFn: ({ signal }) =>
      client.post('/search', {
        body: {
          query: q,
          limit: 20,
          explain: true,
          ...filter,
        },
        signal,
      }),
  });
  const filterKey = [asked.type, asked.file, asked.group];
  // What was asked, and how often: each question costs, so that none is asked by an address alone.
  const [asking, setAsking] = useState({ what: '', times: 0 });
  const isAsked = asking.what === JSON.stringify([q, ...filterKey]);
  const groups = useGroupNames(query.data?.results.map(({ content }) => content.source_group_id) ?? []);
  const set = (change: Readonly<Record<string, string | undefined>>): void =>
    void navigate({ to: '/search', search: { ...asked, ...change } });
  const open: OpenContent = ({ id, source_id: source }) => set({ document: source, passage: id });
  return (
    <Page
      title={words.pages.search}
      actions={
        mayAsk && (
          <Link to="/conversations" className="button">
            {words.pages.conversations}
          </Link>
        )
      }
    >
      <form
        className="search-box"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          const text = textIn(event.currentTarget, 'q');
          const { submitter } = event.nativeEvent;
          if (submitter?.getAttribute('value') === 'ask' && text !== '')
            setAsking({ what: JSON.stringify([text, ...filterKey]), times: asking.times + 1 });
          set({ q: text });
        }}
      >
        <input
          key={q}
          name="q"
          type="search"
          autoFocus
          defaultValue={q}
          aria-label={mayAsk ? words.search.placeholder : words.search.only}
          placeholder={mayAsk ? words.search.placeholder : words.search.only}
        />
        <button type="submit" className="main">
          {words.search.search}
        </button>
        {mayAsk && (
          <button type="submit" className="main" value="ask">
            {words.search.ask}
          </button>
        )}
      </form>
      <div className="filters">
        <KindFilter value={asked.type} change={(type) => set({ type })} />
        {asked.file !== undefined && (
          <button type="button" className="chip" onClick={() => set({ file: undefined })}>
            {words.search.type(asked.file)} ✕
          </button>
        )}
        {asked.group !== undefined && <GroupChip id={asked.group} lift={() => set({ group: undefined })} />}
      </div>
      {q === '' ? (
        <Empty title={words.search.first} />
      ) : (
        <div
          className={document !== undefined ? 'search-columns open' : isAsked ? 'search-columns' : undefined}
        >
          {isAsked && <Answer key={asking.times} question={q} filter={filter} open={open} />}
          <Loaded query={query}>
            {({ results, total_candidates: total, corrected_query: corrected, mode }) =>
              results.length === 0 ? (
                <Empty title={words.search.none} />
              ) : (
                <section>
                  <p className="faint">
                    {corrected !== undefined && `${words.search.corrected(corrected)} `}
                    {words.search.found(total, mode === 'keyword' && !/["-]/.test(q))}
                  </p>
                  <ol className="hits">
                    {results.map((result) => (
                      <Hit
                        key={result.content.id}
                        {...result}
                        group={groups.get(result.content.source_group_id)}
                        isOpen={result.content.id === passage}
                        open={open}
                        only={(file) => set({ file })}
                      />
                    ))}
                  </ol>
                </section>
              )
            }
          </Loaded>
          {document !== undefined && (
            <Beside
              document={document}
              passage={passage}
              close={() => set({})}
              highlights={(id) =>
                query.data?.results.find(({ content }) => content.id === id)?.highlights ?? []
              }
            />
          )}
        </div>
      )}
    </Page>
  );
};

/** What these sources are called, by their ids, in one request. */
const useGroupNames = (all: readonly string[]): ReadonlyMap<string, string> => {
  const client = useClient();
  const id = [...new Set(all)].toSorted();
  const { data } = useQuery({
    queryKey: ['source-groups', 'names', id],
    enabled: id.length > 0,
    queryFn: ({ signal }) => client.get('/source-groups', { query: { id, limit: 100 }, signal }),
  });
  return new Map(data?.source_groups.map((group) => [group.id, group.name]));
};
