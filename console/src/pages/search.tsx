import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { AgUiEvent, FileType, SearchResults, SourceType } from 'knowledger-client';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { textIn } from '../ui/forms.ts';
import { useClient } from '../session.ts';
import { Empty, Failure, Loaded, Page, Time } from '../ui/parts.tsx';
import { KindFilter } from '../ui/kind-filter.tsx';
import { words } from '../words.ts';
import { answerOf, AnswerText, Place } from './search/answer.tsx';

type Result = SearchResults['results'][number];

export const Search = () => {
  const client = useClient();
  const navigate = useNavigate();
  const asked = useSearch({ from: '/search' });
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
  const group = useQuery({
    queryKey: ['source-groups', asked.group],
    enabled: asked.group !== undefined,
    queryFn: ({ signal }) => client.get('/source-groups/{id}', { path: { id: asked.group! }, signal }),
  });
  const set = (change: Readonly<Record<string, string | undefined>>): void =>
    void navigate({ to: '/search', search: { ...asked, ...change } });
  return (
    <Page
      title={words.pages.search}
      actions={
        <Link to="/conversations" className="button">
          {words.pages.conversations}
        </Link>
      }
    >
      <form
        className="search-box"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          set({ q: textIn(event.currentTarget, 'q') });
        }}
      >
        <input
          key={q}
          name="q"
          type="search"
          autoFocus
          defaultValue={q}
          aria-label={words.search.placeholder}
          placeholder={words.search.placeholder}
        />
        <button type="submit" className="main">
          {words.search.search}
        </button>
      </form>
      <div className="filters">
        <KindFilter value={asked.type} change={(type) => set({ type })} />
        {asked.file !== undefined && (
          <button type="button" className="chip" onClick={() => set({ file: undefined })}>
            {words.search.type(asked.file)} ✕
          </button>
        )}
        {asked.group !== undefined && (
          <button type="button" className="chip" onClick={() => set({ group: undefined })}>
            {words.problems.source} {group.data?.name} ✕
          </button>
        )}
      </div>
      {q === '' ? (
        <Empty title={words.search.first} />
      ) : (
        <div className="search-columns">
          <Answer key={JSON.stringify(asked)} question={q} filter={filter} />
          <Loaded query={query}>
            {({ results, total_candidates: total, corrected_query: corrected }) =>
              results.length === 0 ? (
                <Empty title={words.search.none} />
              ) : (
                <section>
                  <p className="faint">
                    {corrected !== undefined && `${words.search.corrected(corrected)} `}
                    {words.search.found(total)}
                  </p>
                  <ol className="hits">
                    {results.map((result) => (
                      <Hit key={result.content.id} {...result} only={(file) => set({ file })} />
                    ))}
                  </ol>
                </section>
              )
            }
          </Loaded>
        </div>
      )}
    </Page>
  );
};

const Hit = ({
  content,
  features,
  highlights,
  only,
}: Result & { readonly only: (type: FileType) => void }) => (
  <li className="hit">
    <h2>
      <Place content={content}>{content.title || content.url}</Place>
    </h2>
    <p className="faint">
      {words.kinds[content.source_type]}
      {content.page_number > 0 && `, p. ${content.page_number}`}, <Time at={content.timestamp} />,{' '}
      <button
        type="button"
        className="link"
        title={words.search.onlyType(content.file_type)}
        onClick={() => only(content.file_type)}
      >
        {content.file_type.replaceAll('_', ' ')}
      </button>
    </p>
    <p className="hit-text">{marked(content.text, highlights)}</p>
    {features !== undefined && (
      <details>
        <summary>{words.search.why}</summary>
        <dl className="bars">
          {Object.entries(features).map(([name, value]) => (
            <div key={name}>
              <dt>{name.replaceAll('_', ' ')}</dt>
              <dd>
                <meter min={0} max={1} value={value} aria-label={name} /> {value.toFixed(2)}
              </dd>
            </div>
          ))}
        </dl>
      </details>
    )}
  </li>
);

const SHOWN = 600;

/** The text around its first highlights, which count UTF-16 units. */
const marked = (text: string, highlights: Result['highlights']): ReactNode => {
  const first = Math.max(0, (highlights[0]?.start ?? 0) - 120);
  const end = Math.min(text.length, first + SHOWN);
  const parts: ReactNode[] = first > 0 ? ['… '] : [];
  let at = first;
  for (const { start, end: stop } of highlights) {
    if (stop > end) break;
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, stop)}</mark>);
    at = stop;
  }
  parts.push(text.slice(at, end), end < text.length ? ' …' : '');
  return parts;
};

/** An answer while it is written, with the contents that it cites. */
const Answer = ({ question, filter }: { readonly question: string; readonly filter: object }) => {
  const over = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    over.current = controller;
    return () => controller.abort();
  }, []);
  const client = useClient();
  const [events, setEvents] = useState<readonly AgUiEvent[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const ask = async (): Promise<void> => {
    setEvents([]);
    setFailure(null);
    try {
      for await (const event of client.stream<AgUiEvent>('POST', '/completions', {
        body: { ...filter, stream: true, messages: [{ role: 'user', content: question }] },
        signal: over.current.signal,
      }))
        setEvents((before) => [...(before ?? []), event.data]);
    } catch (error) {
      if (!over.current.signal.aborted) setFailure(error);
    }
  };
  if (events === null)
    return (
      <section className="answer">
        <button type="button" onClick={() => void ask()}>
          {words.search.ask}
        </button>
      </section>
    );
  const { text, isOver, cited, conversation } = answerOf(events);
  return (
    <section className="card answer" aria-live="polite" aria-busy={!isOver}>
      <h2>{words.search.answer}</h2>
      <AnswerText text={text} cited={cited} />
      {failure !== null && <Failure error={failure} />}
      {isOver && conversation !== undefined && (
        <Link to="/conversations/$id" params={{ id: conversation }}>
          {words.conversations.goOn}
        </Link>
      )}
    </section>
  );
};
