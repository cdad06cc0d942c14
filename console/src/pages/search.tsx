import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { AgUiEvent, Content, FileType, SearchResults, SourceType } from 'knowledger-client';
import { type ReactNode, useState } from 'react';
import Markdown from 'react-markdown';
import { KINDS } from '../kinds.ts';
import { textIn } from '../ui/forms.ts';
import { useClient } from '../session.ts';
import { Empty, Failure, Loaded, Page, Time } from '../ui/parts.tsx';
import { words } from '../words.ts';

type Result = SearchResults['results'][number];

export const Search = () => {
  const client = useClient();
  const navigate = useNavigate();
  const asked = useSearch({ from: '/search' });
  const { q = '' } = asked;
  const query = useQuery({
    queryKey: ['search', asked],
    enabled: q !== '',
    queryFn: ({ signal }) =>
      client.post('/search', {
        body: {
          query: q,
          limit: 20,
          explain: true,
          ...(asked.type !== undefined && { source_types: [asked.type as SourceType] }),
          ...(asked.file !== undefined && { file_types: [asked.file as FileType] }),
          ...(asked.group !== undefined && { source_group_ids: [asked.group] }),
        },
        signal,
      }),
  });
  const set = (change: Readonly<Record<string, string | undefined>>): void =>
    void navigate({ to: '/search', search: { ...asked, ...change } });
  return (
    <Page title={words.pages.search}>
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
        <select
          aria-label={words.sources.kind}
          value={asked.type ?? ''}
          onChange={({ target }) => set({ type: target.value })}
        >
          <option value="">{words.sources.allKinds}</option>
          {KINDS.map(({ type }) => (
            <option key={type} value={type}>
              {words.kinds[type]}
            </option>
          ))}
        </select>
      </div>
      {q === '' ? (
        <Empty title={words.search.first} />
      ) : (
        <div className="search-columns">
          <Answer key={q} question={q} />
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
                      <Hit key={result.content.id} {...result} />
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

const Hit = ({ content, features, highlights }: Result) => (
  <li className="hit">
    <h2>
      <Place content={content}>{content.title || content.url}</Place>
    </h2>
    <p className="faint">
      {words.kinds[content.source_type]}
      {content.page_number > 0 && `, p. ${content.page_number}`}, <Time at={content.timestamp} />
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

const Place = ({ content, children }: { readonly content: Content; readonly children: ReactNode }) => {
  const client = useClient();
  const navigate = useNavigate();
  const open = async (): Promise<void> => {
    const { source_group_id: id, source_type: type } = await client.get('/sources/{id}', {
      path: { id: content.source_id! },
    });
    await navigate({
      to: '/sources/$type/$id',
      params: { type, id },
      search: { tab: 'documents', document: content.source_id! },
    });
  };
  if (content.source_id === undefined) return children;
  return (
    <button type="button" className="link" onClick={() => void open()}>
      {children}
    </button>
  );
};

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
const Answer = ({ question }: { readonly question: string }) => {
  const client = useClient();
  const [events, setEvents] = useState<readonly AgUiEvent[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const ask = async (): Promise<void> => {
    setEvents([]);
    setFailure(null);
    try {
      for await (const event of client.stream<AgUiEvent>('POST', '/completions', {
        body: { stream: true, messages: [{ role: 'user', content: question }] },
      }))
        setEvents((before) => [...(before ?? []), event.data]);
    } catch (error) {
      setFailure(error);
    }
  };
  if (events === null)
    return (
      <section className="card answer">
        <button type="button" onClick={() => void ask()}>
          {words.search.ask}
        </button>
      </section>
    );
  const { text, isOver, cited } = answerOf(events);
  return (
    <section className="card answer" aria-live="polite" aria-busy={!isOver}>
      <h2>{words.search.answer}</h2>
      <div className="answer-text">
        <Markdown>{text}</Markdown>
      </div>
      {failure !== null && <Failure error={failure} />}
      {cited.length > 0 && (
        <>
          <h3>{words.search.cited}</h3>
          <ol className="list">
            {cited.map((content, i) => (
              <li key={content.id}>
                <span className="faint">[{i + 1}]</span>
                <Place content={content}>{content.title || content.url}</Place>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
};

/** The text so far and, at its end, what it cites in the order of its marks. */
const answerOf = (
  events: readonly AgUiEvent[],
): { readonly text: string; readonly isOver: boolean; readonly cited: readonly Content[] } => {
  let text = '';
  let cited: readonly Content[] = [];
  for (const event of events) {
    if (event.type === 'TEXT_MESSAGE_CONTENT') text += event.delta;
    if (event.type === 'RUN_ERROR') text += event.message;
    if (event.type === 'CUSTOM' && 'choices' in event.value) cited = event.value.choices[0]?.citations ?? [];
  }
  const last = events.at(-1)?.type;
  return { text, isOver: last === 'RUN_FINISHED' || last === 'RUN_ERROR', cited };
};
