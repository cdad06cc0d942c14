import type { Catalog, CatalogScope, SourceRecord } from '../../ports/catalog.ts';
import type { RedactTextFor } from '../../redaction/redact-text.ts';

export interface ShownTodayDeps {
  readonly catalog: Pick<Catalog, 'getSource'>;
  readonly redactTextFor: RedactTextFor;
}

/**
 * A source of the past as the caller may see it today; null: not at all. A policy judges what is there today: it lets
 * nobody see what was removed since, nor size and hash where it hides contents.
 */
export const createShownToday =
  ({ catalog, redactTextFor }: ShownTodayDeps) =>
  async (scope: CatalogScope, then: SourceRecord): Promise<SourceRecord | null> => {
    if (scope.only?.includes(then.sourceGroupId) === false) return null;
    const hide = await redactTextFor(scope.tenant);
    const shown = { ...then, title: hide(then.title) };
    if (scope.access === null) return shown;
    const today = await catalog.getSource(scope, then.id);
    if (today === null) return null;
    return (today.deniedCount ?? 0) === 0 ? shown : { ...shown, size: null, sha256: null };
  };
