import type { KnownUnit, VisitedUnit } from '../../../ports/item-store.ts';
import type { DocumentFact } from '../document-fact.ts';
import type { ReadDocument } from '../read-documents.ts';
import type { FetchedUnit, ListedUnit } from './listed-source.ts';

/** A unit, and what its provider gave of it. */
export interface FetchedUnitOf {
  readonly unit: ListedUnit;
  readonly fetched: FetchedUnit;
}

type UnitFailed = Extract<DocumentFact, { readonly kind: 'failed' }>;

/** One look at a unit. */
export interface UnitVisit {
  readonly unit: ListedUnit;
  /** Null: it is as it was, and was not fetched. */
  readonly fetched: FetchedUnit | null;
  readonly known: KnownUnit | undefined;
  /** What became of the bytes of a document. */
  readonly read?: ReadDocument;
  /** Of what was left out, without what policies hide. */
  readonly title?: string;
}

/** The row of the visit, and what is so of its document from now on; null where that is as it was. */
export const outcomeOf = (
  { unit, fetched, known, read, title: called }: UnitVisit,
  idOf: (locator: string) => string,
  at: number,
  attempt: number,
): { readonly visited: VisitedUnit; readonly fact: DocumentFact | null } => {
  const { locator, fingerprint } = unit;
  const of = { locator, firstSeen: known === undefined, at };
  const sourceId = idOf(locator);
  const none = { code: null, message: null, bytes: 0, fingerprint: null };
  const visit = { locator, sourceId, ...none, at, attempt };
  const failed = (code: string, message: string, about: Pick<UnitFailed, 'url' | 'title'> = {}) => ({
    visited: { ...visit, outcome: 'failed', code, message } as const,
    fact: { kind: 'failed', code, message, ...about, ...of } as const,
  });
  if (fetched === null) {
    const { skipped = null } = known ?? {};
    const outcome =
      skipped === null ? ({ outcome: 'unchanged' } as const) : ({ outcome: 'skipped', ...skipped } as const);
    return { visited: { ...visit, ...outcome, fingerprint }, fact: null };
  }
  switch (fetched.kind) {
    case 'failed':
      return failed(fetched.code, fetched.message);
    case 'gone':
      return {
        visited: { ...visit, outcome: 'gone', sourceId: null },
        fact: known === undefined ? null : { kind: 'gone', ...of, firstSeen: false },
      };
    case 'skipped': {
      const { reason, message, url } = fetched;
      const about = { ...(url !== undefined && { url }), ...(called !== undefined && { title: called }) };
      return {
        visited: { ...visit, outcome: 'skipped', code: reason, message, fingerprint },
        fact: { kind: 'skipped', reason, ...about, ...of },
      };
    }
    case 'document':
      break;
  }
  if (read === undefined) throw new Error(`${locator} was fetched and not read`);
  if (read.chunkSet === null) {
    const { outcome, title } = read;
    const { url } = fetched.document;
    const about = { url, ...(title !== undefined && { title }) };
    if (outcome.kind === 'failed') return failed(outcome.code, outcome.message, about);
    const reason = 'unsupported_file_type';
    return {
      visited: { ...visit, outcome: 'skipped', code: reason, message: outcome.message, fingerprint },
      fact: { kind: 'skipped', reason, ...about, ...of },
    };
  }
  const { url, mediaType = 'application/octet-stream' } = fetched.document;
  const { bytes } = read.raw;
  const { missing, unread, rowErrors = [] } = read.outcome;
  // Without a fingerprint it is read again in the next job, and its rows are listed again.
  const settled = rowErrors.length > 0 ? null : fingerprint;
  return {
    visited: { ...visit, outcome: 'indexed', ...(missing ?? { fingerprint: settled, ...unread }), bytes },
    fact: { kind: 'indexed', ...of, url, mediaType, read },
  };
};

/** A row has the name of its unit and its number. */
export const rowsOf = ({ unit, read }: UnitVisit, at: number, attempt: number): readonly VisitedUnit[] => {
  const { rowErrors = [] } = read?.outcome.kind === 'document' ? read.outcome : {};
  const byRow = Map.groupBy(rowErrors, ({ row }) => row);
  return [...byRow].map(([row, errors]) => ({
    locator: `${unit.locator}#row=${row}`,
    outcome: 'row_failed',
    sourceId: null,
    fingerprint: null,
    code: errors.every(({ key }) => key === null) ? 'row_invalid' : 'value_invalid',
    message: errors
      .map(({ key, message }) => (key === null ? message : `${key}: ${message}`))
      .join('; ')
      .slice(0, 1_000),
    bytes: 0,
    at,
    attempt,
  }));
};
