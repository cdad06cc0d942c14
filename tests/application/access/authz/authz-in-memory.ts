import { type AccessDeps, createAccess } from '../../../../application/access/authz/access.ts';
import { createAuthzPolicyOperations } from '../../../../application/access/authz/policy-operations.ts';
import { createAuthzSubjectOperations } from '../../../../application/access/authz/subject-operations.ts';
import type { AuthzView } from '../../../../application/ports/access-views.ts';
import type { MetadataValueType } from '../../../../domain/source/events.ts';
import { memoryParts } from '../../../support/memory-parts.ts';

type Types = Readonly<Record<string, readonly MetadataValueType[]>>;

/** Policies and attributes over events in memory, and documents whose metadata has these types. */
export const openAuthz = (types: Types = {}) => {
  const parts = memoryParts();
  const asked: unknown[] = [];
  const view = {
    policies: async (...of: readonly unknown[]) => {
      asked.push(['policies', ...of]);
      return { rows: [], hasMore: false, total: 0 };
    },
    subjects: async (...of: readonly unknown[]) => {
      asked.push(['subjects', ...of]);
      return { rows: [], hasMore: false, total: 0 };
    },
  } as unknown as AuthzView;
  const catalog: AccessDeps['catalog'] = {
    metadataTypes: async (scope, of, keys) => {
      asked.push([scope, of, keys]);
      return new Map(keys.flatMap((key) => (types[key] === undefined ? [] : [[key, types[key]]])));
    },
  };
  const deps = { ...parts, view, catalog };
  return {
    ...parts,
    asked,
    policies: createAuthzPolicyOperations(deps),
    subjects: createAuthzSubjectOperations(deps),
    accessTo: createAccess(deps),
  };
};

const condition = (key: string, val: unknown) => ({ filters: [{ key, operator: 'eq', val }] });
/** Documents of the department of whoever asks, and passages of the first page. */
export const MINE = condition('department', { subject: 'department' });
export const FIRST_PAGE = condition('page_number', 1);
export const RULES = { description: 'mine', sourceMetadata: MINE, chunkMetadata: FIRST_PAGE };
export const OPEN = { description: '', sourceMetadata: null, chunkMetadata: null };
