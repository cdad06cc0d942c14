import { Link } from '@tanstack/react-router';
import type { FileType, SearchResults } from 'knowledger-client';
import type { ReactNode } from 'react';
import { type Highlight, highlighted } from '../../ui/highlights.tsx';
import { Time } from '../../ui/parts.tsx';
import { words } from '../../words.ts';
import { type OpenContent, Place } from './answer.tsx';

type Result = SearchResults['results'][number];

export const Hit = ({
  content,
  group,
  features,
  highlights,
  isOpen,
  open,
  only,
}: Result & {
  /** What its source is called; undefined until that is known. */
  readonly group: string | undefined;
  readonly isOpen: boolean;
  readonly open: OpenContent;
  readonly only: (type: FileType) => void;
}) => (
  <li className={isOpen ? 'hit marked' : 'hit'}>
    <h2>
      <Place content={content} open={open}>
        {content.title || content.url}
      </Place>
    </h2>
    <p className="faint">
      {words.kinds[content.source_type]}{' '}
      {group !== undefined && (
        <Link to="/sources/$type/$id" params={{ type: content.source_type, id: content.source_group_id }}>
          {group}
        </Link>
      )}
      {content.page_number > 0 && `, ${words.search.page(content.page_number)}`},{' '}
      <Time at={content.timestamp} />,{' '}
      <button
        type="button"
        className="link"
        title={words.search.onlyType(content.file_type)}
        onClick={() => only(content.file_type)}
      >
        {content.file_type.replaceAll('_', ' ')}
      </button>
    </p>
    <p className="faint hit-text">
      {/^https?:/.test(content.url) ? (
        <a href={content.url} target="_blank" rel="noreferrer">
          {content.url}
        </a>
      ) : (
        content.url
      )}
    </p>
    <p className="hit-text">{excerpt(content.text, highlights)}</p>
    {features !== undefined && (
      <details>
        <summary>{words.search.why}</summary>
        <dl className="bars">
          {(Object.entries(features) as [keyof typeof features, number][]).map(([name, value]) => (
            <div key={name}>
              <dt>{words.search.features[name]}</dt>
              <dd>
                <meter min={0} max={1} value={value} aria-label={words.search.features[name]} />{' '}
                {value.toFixed(2)}
              </dd>
            </div>
          ))}
        </dl>
      </details>
    )}
  </li>
);

const SHOWN = 600;

/** The text around its first highlights. */
const excerpt = (text: string, highlights: readonly Highlight[]): ReactNode => {
  const first = Math.max(0, (highlights[0]?.start ?? 0) - 120);
  const end = Math.min(text.length, first + SHOWN);
  return [
    first > 0 && '… ',
    ...highlighted(text.slice(first, end), highlights, first),
    end < text.length && ' …',
  ];
};
