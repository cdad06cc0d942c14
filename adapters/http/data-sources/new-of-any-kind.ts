import type { NewDataSource } from '../../../application/sources/ingestion/create-data-source.ts';

interface Body {
  readonly name: string;
  readonly rrule?: string | null;
  readonly metadata?: { readonly records: readonly { readonly key: string; readonly val: string }[] };
}

/** What every new data source has, as its body gives it; no schedule where the rule is null or empty. */
export const newOfAnyKind = ({ name, rrule, metadata }: Body): Omit<NewDataSource, 'parameters'> => ({
  name,
  ...(rrule !== undefined && rrule !== null && rrule.trim() !== '' && { rrule }),
  metadata: metadata?.records.map(({ key, val }) => ({ key, val })) ?? [],
});
