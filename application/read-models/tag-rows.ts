import type { TagEvent } from '../../domain/tag/decider.ts';
import type { ProjectedEvent } from '../event-sourcing/aggregates.ts';

export interface TagRow {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly description: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Number of source groups with this tag. */
  readonly sourceGroupCount: number;
  /** A deleted tag keeps a hidden row, so that cursors stay valid. */
  readonly deleted: boolean;
  /** Revision of the newest event about this tag or one of its bindings, in the tenant's tag stream. */
  readonly revision: bigint;
}

/** Binds a tag to a source group. */
export interface TagBindingRow {
  readonly id: string;
  readonly tenant: string;
  readonly tagId: string;
  readonly sourceGroupId: string;
  readonly createdAt: number;
  /** True if the binding was removed, the tag was deleted, or the deletion of the data source was requested. */
  readonly gone: boolean;
}

/** Tags and bindings by id. */
export interface TagRows {
  readonly tags: ReadonlyMap<string, TagRow>;
  readonly bindings: ReadonlyMap<string, TagBindingRow>;
  /** Data sources whose deletion was requested: they have no tags, whatever is bound to them later. */
  readonly deletedGroups: ReadonlySet<string>;
}

/**
 * Applies the events to the rows, in order. An event that a row already includes changes nothing. `rows` must contain
 * the rows named by the events, the bindings of deleted tags and data sources, and the tags of all these bindings.
 */
export const tagRows = (rows: TagRows, events: readonly ProjectedEvent[]): TagRows => {
  const draft: Draft = {
    tags: new Map(rows.tags),
    bindings: new Map(rows.bindings),
    deletedGroups: new Set(rows.deletedGroups),
  };
  for (const { event, streamId, revision } of events) {
    if (event.type === 'DataSourceDeletionRequested') {
      draft.deletedGroups.add(streamId);
      endBindings(draft, (binding) => binding.sourceGroupId === streamId);
    } else if (isTagEvent(event)) applyTagEvent(draft, event, streamId, revision);
  }
  return draft;
};

interface Draft {
  readonly tags: Map<string, TagRow>;
  readonly bindings: Map<string, TagBindingRow>;
  readonly deletedGroups: Set<string>;
}

const applyTagEvent = (draft: Draft, event: TagEvent, tenant: string, revision: bigint): void => {
  const { tagId: id, at: createdAt } = event;
  const before = draft.tags.get(id);
  if (before !== undefined && before.revision >= revision) return;
  if (event.type === 'TagCreated') {
    const { name, description } = event;
    const unused = { sourceGroupCount: 0, deleted: false };
    draft.tags.set(id, { id, tenant, name, description, createdAt, ...unused, revision });
    return;
  }
  if (before === undefined) throw new Error(`${event.type} of ${id} before TagCreated`);
  draft.tags.set(id, { ...before, revision });
  change(draft, { ...before, revision }, event);
};

const change = (draft: Draft, tag: TagRow, event: Exclude<TagEvent, { type: 'TagCreated' }>): void => {
  switch (event.type) {
    case 'TagChanged':
      draft.tags.set(tag.id, { ...tag, name: event.name, description: event.description });
      return;
    case 'TagDeleted':
      endBindings(draft, ({ tagId }) => tagId === tag.id);
      draft.tags.set(tag.id, { ...tag, sourceGroupCount: 0, deleted: true });
      return;
    case 'TagBound': {
      const { bindingId: id, tagId, sourceGroupId, at: createdAt } = event;
      const gone = draft.deletedGroups.has(sourceGroupId);
      draft.bindings.set(id, { id, tenant: tag.tenant, tagId, sourceGroupId, createdAt, gone });
      if (!gone) draft.tags.set(tag.id, { ...tag, sourceGroupCount: tag.sourceGroupCount + 1 });
      return;
    }
    case 'TagUnbound':
      endBindings(draft, ({ id }) => id === event.bindingId);
      return;
  }
};

const endBindings = ({ tags, bindings }: Draft, ends: (binding: TagBindingRow) => boolean): void => {
  for (const binding of bindings.values()) {
    if (binding.gone || !ends(binding)) continue;
    bindings.set(binding.id, { ...binding, gone: true });
    const tag = tags.get(binding.tagId);
    if (tag !== undefined) tags.set(tag.id, { ...tag, sourceGroupCount: tag.sourceGroupCount - 1 });
  }
};

export const isTagEvent = (event: { readonly type: string }): event is TagEvent =>
  event.type.startsWith('Tag');
