import { Link } from '@tanstack/react-router';
import { words } from '../../words.ts';
import { Document } from '../source/document.tsx';
import type { HighlightsOf } from '../source/marked-text.tsx';

/** The document of a hit or of a citation, beside what is on the page. */
export const Beside = ({
  document,
  passage,
  close,
  highlights,
}: {
  readonly document: string;
  readonly passage: string | undefined;
  readonly close: () => void;
  readonly highlights?: HighlightsOf;
}) => {
  return (
    <Document
      key={document}
      id={document}
      close={close}
      leadsTo={({ source_group_id: id, source_type: type }) => (
        <Link to="/sources/$type/$id" params={{ type, id }} search={{ tab: 'documents', document, passage }}>
          {words.search.whole}
        </Link>
      )}
      {...(highlights !== undefined && { highlights })}
    />
  );
};
