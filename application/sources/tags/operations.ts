import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type ActiveTag, tag, type TagCommand, type TagState } from '../../../domain/tag/decider.ts';
import { type Caller, mustBeUnrestricted, scopeOf } from '../../access/caller.ts';
import { type IdempotentDeps, type Written, idempotently } from '../../event-sourcing/idempotent.ts';
import type { Page, PageRequest } from '../../ports/page.ts';
import type { TagRecord, TagView } from '../../ports/source-group-view.ts';
import { tagStream } from '../../event-sourcing/streams.ts';
import { answeredBefore, type TagLogDeps } from './tag-events.ts';

interface TagRequest {
  readonly name: string;
  /** Empty if there is none. */
  readonly description: string;
}

export interface TagDeps extends IdempotentDeps, TagLogDeps {
  readonly view: TagView;
}

/**
 * Operations on tags. A tag spans source groups: a restricted key sees the tags of its own groups and can change none.
 * All operations throw DomainError `not_found` for what the caller may not see.
 */
export const createTagOperations = (deps: TagDeps) => {
  const { execute, view, clock } = deps;
  const run = (caller: Caller, command: TagCommand, guard?: (tagging: TagState) => void) =>
    execute(tag, tagStream(caller.tenant), command, caller.context, guard === undefined ? {} : { guard });

  return {
    /** @throws DomainError name_taken, key_restricted, idempotency_conflict */
    create: async (
      caller: Caller,
      request: TagRequest,
      idempotencyKey: string | undefined,
    ): Promise<Written<TagRecord>> => {
      mustBeUnrestricted(caller, 'a new tag');
      const body = { operation: 'createTag', key: idempotencyKey, body: request };
      return idempotently(deps, body, 1, caller.context, async ({ ids, at, replayed }) => {
        const tagId = ids[0] as string;
        if (replayed) {
          const wanted = { type: 'TagCreated', id: tagId, since: at } as const;
          const before = await answeredBefore(deps, caller.tenant, wanted);
          if (before !== undefined)
            return { record: recordOf(before.event, 0), position: before.position, changed: false };
        }
        const created = { tagId, ...request, at };
        const { position, events } = await run(caller, { type: 'create', ...created });
        return { record: recordOf(created, 0), position, changed: events.length > 0 };
      });
    },

    /** Newest first. @throws DomainError invalid_cursor */
    list: (caller: Caller, page: PageRequest): Promise<Page<TagRecord>> =>
      (caller.past?.tags ?? view).list(scopeOf(caller), page),

    get: async (caller: Caller, id: string): Promise<TagRecord> => {
      const record = await (caller.past?.tags ?? view).get(scopeOf(caller), id);
      if (record === null) throw noSuchTag();
      return record;
    },

    /** Absent fields stay unchanged. @throws DomainError name_taken, key_restricted */
    change: async (
      caller: Caller,
      tagId: string,
      change: Partial<TagRequest>,
    ): Promise<Written<TagRecord>> => {
      const command = { type: 'change', tagId, ...change, at: clock.now() } as const;
      const done = await run(caller, command, mayChange(caller, tagId));
      const living = done.state.tags.get(tagId);
      if (living === undefined) throw noSuchTag();
      const groups = [...living.bindings.values()].map(({ sourceGroupId }) => sourceGroupId);
      const gone = await view.deletedAmong(groups);
      const record = recordOf(living, groups.length - gone.size);
      return { record, position: done.position, changed: done.events.length > 0 };
    },

    /** Removes its bindings too. @throws DomainError key_restricted */
    remove: async (caller: Caller, tagId: string): Promise<Written<string>> => {
      const command = { type: 'delete', tagId, at: clock.now() } as const;
      const { position } = await run(caller, command, mayChange(caller, tagId));
      return { record: tagId, position, changed: true };
    },
  };
};
export type TagOperations = ReturnType<typeof createTagOperations>;

const noSuchTag = (): DomainError => new DomainError('not_found', 'there is no such tag');

/** A restricted key sees the tags of its own groups. @throws DomainError not_found */
export const mustSeeTag = (caller: Caller, tagId: string, { tags }: TagState): void => {
  const living = tags.get(tagId);
  if (living === undefined) throw noSuchTag();
  if (caller.grant.sourceGroupIds === null) return;
  if (!caller.grant.sourceGroupIds.some((id) => living.bindings.has(id))) throw noSuchTag();
};

const mayChange =
  (caller: Caller, tagId: string) =>
  (tagging: TagState): void => {
    mustSeeTag(caller, tagId, tagging);
    mustBeUnrestricted(caller, 'a change of a tag');
  };

const recordOf = (
  { tagId: id, name, description, at: createdAt }: Omit<ActiveTag, 'bindings'>,
  sourceGroupCount: number,
): TagRecord => ({ id, name, description, createdAt, sourceGroupCount });
