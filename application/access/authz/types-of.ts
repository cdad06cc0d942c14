import type { KeyTypes } from '../../../domain/filter/filter.ts';
import { keysOf } from '../../../domain/filter/parse-filter.ts';
import { commonType } from '../../../domain/filter/value.ts';
import type { Catalog } from '../../ports/catalog.ts';

/** The types of a policy's keys: those of the whole tenant, so that a policy means the same to every key. */
export const typesOf = async (
  catalog: Pick<Catalog, 'metadataTypes'>,
  tenant: string,
  of: 'source' | 'chunk',
  raw: unknown,
): Promise<KeyTypes> => {
  const everything = { tenant, only: null, access: null };
  const declared = await catalog.metadataTypes(everything, of, keysOf(raw));
  return new Map([...declared].map(([key, types]) => [key, commonType(types)]));
};
