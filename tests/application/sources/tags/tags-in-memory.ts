import type { GroupScope } from '../../../../application/ports/catalog.ts';
import type { TagView } from '../../../../application/ports/source-group-view.ts';
import { dataSourceStream, tagStream } from '../../../../application/event-sourcing/streams.ts';
import { createTagBindingOperations } from '../../../../application/sources/tags/binding-operations.ts';
import { createTagOperations } from '../../../../application/sources/tags/operations.ts';
import { dataSource } from '../../../../domain/data-source/index.ts';
import { type Binding, tag } from '../../../../domain/tag/decider.ts';
import { type MemoryParts, memoryParts } from '../../../support/memory-parts.ts';

/** Tags over events in memory, and a view that is never behind them. */
export const openTags = () => {
  const parts = memoryParts();
  const deps = { ...parts, view: viewOf(parts) };
  return { ...parts, tags: createTagOperations(deps), bindings: createTagBindingOperations(deps) };
};

const viewOf = ({ execute }: MemoryParts): TagView => {
  const tagging = async (tenant: string) =>
    (await execute.load(tag, tagStream(tenant), tenant))?.state ?? tag.initial;
  const deletedAmong = async (ids: readonly string[]) => {
    const gone = new Set<string>();
    for (const id of ids) {
      const found = await execute.load(dataSource, dataSourceStream(id), 'acme');
      if (found === null || /^(?:deleting|removed|delete_job_failure)$/.test(found.state.status))
        gone.add(id);
    }
    return gone;
  };
  const bindingsIn = async ({ tenant, only }: GroupScope): Promise<readonly Binding[]> => {
    const all = [...(await tagging(tenant)).bindings.values()].filter(
      ({ sourceGroupId }) => only?.includes(sourceGroupId) ?? true,
    );
    const gone = await deletedAmong(all.map(({ sourceGroupId }) => sourceGroupId));
    return newestFirst(
      all.filter(({ sourceGroupId }) => !gone.has(sourceGroupId)),
      (one) => one.bindingId,
    );
  };
  const bindingRecords = async (scope: GroupScope) =>
    (await bindingsIn(scope)).map(({ bindingId: id, tagId, sourceGroupId, at: createdAt }) => ({
      id,
      tagId,
      sourceGroupId,
      createdAt,
    }));
  const tagRecords = async (scope: GroupScope) => {
    const bound = await bindingsIn(scope);
    const all = [...(await tagging(scope.tenant)).tags.values()]
      .map(({ tagId: id, name, description, at: createdAt }) => {
        const sourceGroupCount = bound.filter(({ tagId }) => tagId === id).length;
        return { id, name, description, createdAt, sourceGroupCount };
      })
      .filter(({ sourceGroupCount }) => scope.only === null || sourceGroupCount > 0);
    return newestFirst(all, (one) => one.id);
  };
  const page = <Row>(rows: readonly Row[], limit: number) => ({
    rows: rows.slice(0, limit),
    hasMore: rows.length > limit,
    total: rows.length,
  });
  return {
    get: async (scope, id) => (await tagRecords(scope)).find((one) => one.id === id) ?? null,
    list: async (scope, { limit }) => page(await tagRecords(scope), limit),
    getBinding: async (scope, id) => (await bindingRecords(scope)).find((one) => one.id === id) ?? null,
    listBindings: async (scope, { limit }) => page(await bindingRecords(scope), limit),
    deletedAmong,
  };
};

/** Ids ascend with time. */
const newestFirst = <Row>(rows: readonly Row[], id: (row: Row) => string): readonly Row[] =>
  rows.toSorted((a, b) => (id(a) < id(b) ? 1 : -1));
