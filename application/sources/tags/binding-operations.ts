import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Binding, bindingOf, tag, type TagState } from '../../../domain/tag/decider.ts';
import { type Caller, ownIdempotencyKey, scopeOf, sees } from '../../access/caller.ts';
import { type Written, idempotently } from '../../event-sourcing/idempotent.ts';
import { readDataSource } from '../data-sources/read-data-source.ts';
import type { Page, PageRequest } from '../../ports/page.ts';
import type { TagBindingRecord } from '../../ports/source-group-view.ts';
import { tagStream } from '../../event-sourcing/streams.ts';
import { mustSeeTag, type TagDeps } from './operations.ts';
import { answeredBefore, readTagging } from './tag-events.ts';

interface BindingRequest {
  readonly tagId: string;
  readonly sourceGroupId: string;
}

/**
 * Operations on bindings of tags to source groups. A restricted key binds visible tags to its own groups. All
 * operations throw DomainError `not_found` for what the caller may not see.
 */
export const createTagBindingOperations = (deps: TagDeps) => {
  const { execute, view, clock } = deps;
  return {
    /**
     * If the pair is already bound, nothing changes, and `changed` is false.
     *
     * @throws DomainError source_deleting, idempotency_conflict
     */
    bind: async (
      caller: Caller,
      request: BindingRequest,
      idempotencyKey: string | undefined,
    ): Promise<Written<TagBindingRecord>> => {
      const { tagId, sourceGroupId } = request;
      const key = ownIdempotencyKey(caller, idempotencyKey);
      const body = { operation: 'bindTag', key, body: request };
      return idempotently(deps, body, 1, caller.context, async ({ ids, at, replayed }) => {
        const bindingId = ids[0] as string;
        const wanted = { type: 'TagBound', id: bindingId, since: at } as const;
        const before = replayed ? await answeredBefore(deps, caller.tenant, wanted) : undefined;
        if (before !== undefined) {
          const { event, position } = before;
          return { record: recordOf(event), position, changed: true, replayed: true };
        }
        await mustBeThere(deps, caller, sourceGroupId);
        const command = { type: 'bind', bindingId, ...request, at } as const;
        const guard = (tagging: TagState): void => mustSeeTag(caller, tagId, tagging);
        const done = await execute(tag, tagStream(caller.tenant), command, caller.context, { guard });
        const binding = done.state.tags.get(tagId)?.bindings.get(sourceGroupId);
        if (binding === undefined) throw noSuchBinding();
        return { record: recordOf(binding), position: done.position, changed: done.events.length > 0 };
      });
    },

    /** Newest first. @throws DomainError invalid_cursor */
    list: (caller: Caller, page: PageRequest): Promise<Page<TagBindingRecord>> =>
      (caller.past?.tags ?? view).listBindings(scopeOf(caller), page),

    get: async (caller: Caller, id: string): Promise<TagBindingRecord> => {
      const record = await (caller.past?.tags ?? view).getBinding(scopeOf(caller), id);
      if (record === null) throw noSuchBinding();
      return record;
    },

    unbind: async (caller: Caller, bindingId: string): Promise<Written<string>> => {
      const { sourceGroupId } = seen(caller, bindingId, await readTagging(deps, caller.tenant));
      const gone = await view.deletedAmong([sourceGroupId]);
      if (gone.has(sourceGroupId)) throw noSuchBinding();
      const command = { type: 'unbind', bindingId, at: clock.now() } as const;
      const guard = (tagging: TagState): void => void seen(caller, bindingId, tagging);
      const done = await execute(tag, tagStream(caller.tenant), command, caller.context, { guard });
      return { record: bindingId, position: done.position, changed: true };
    },
  };
};
export type TagBindingOperations = ReturnType<typeof createTagBindingOperations>;

const noSuchBinding = (): DomainError => new DomainError('not_found', 'there is no such tag binding');

const seen = (caller: Caller, bindingId: string, tagging: TagState): Binding => {
  const binding = bindingOf(tagging, bindingId);
  if (binding === undefined || !sees(caller, binding.sourceGroupId)) throw noSuchBinding();
  return binding;
};

/** Decides by the stream, because views may not show a deletion yet. */
const mustBeThere = async (deps: TagDeps, caller: Caller, sourceGroupId: string): Promise<void> => {
  const found = sees(caller, sourceGroupId) ? await readDataSource(deps, caller.tenant, sourceGroupId) : null;
  if (found === null || found.status === 'removed') {
    throw new DomainError('not_found', 'there is no such source group');
  }
  if (found.status === 'deleting' || found.status === 'delete_job_failure') {
    throw new DomainError('source_deleting', 'the source group is being deleted and cannot be tagged');
  }
};

const recordOf = ({ bindingId: id, tagId, sourceGroupId, at: createdAt }: Binding): TagBindingRecord => ({
  id,
  tagId,
  sourceGroupId,
  createdAt,
});
