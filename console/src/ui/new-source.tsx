import { Link } from '@tanstack/react-router';
import { useMay } from '../may.tsx';
import { words } from '../words.ts';

/** Leads to the form of a new source, for whoever may create one. */
export const NewSource = () =>
  useMay()('ingestion:manage everywhere') && (
    <Link to="/sources/new" className="button main">
      {words.sources.new}
    </Link>
  );
