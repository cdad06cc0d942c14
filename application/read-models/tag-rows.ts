import type { TagEvent } from '../../domain/tag/index.ts';
import type { ProjectedEvent } from './projected-event.ts';

export interface TagRow {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly description: string;
  /** Unix milliseconds. */
  readonly created_at: number;
  /** Source groups that carry it. */
  readonly source_group_count: number;
  /** A deleted tag keeps its row, so that cursors stay valid. */
  readonly deleted: boolean;
  /** Revision, in the tenant's stream of tags, of the newest event about this tag or one of its bindings. */
  readonly revision: bigint;
}

/** That a source group carries a tag. */
export interface TagBindingRow {
  readonly id: string;
  readonly tenant: string;
  readonly tag_id: string;
  readonly source_group_id: string;
  readonly created_at: number;
  /** Unbound, or the tag was deleted, or the deletion of the data source was requested. */
  readonly gone: boolean;
}

/** The rows that some events are about: tags and bindings by id. */
export interface TagRows {
  readonly tags: ReadonlyMap<string, TagRow>;
  readonly bindings: ReadonlyMap<string, TagBindingRow>;
  /** Data sources whose deletion was requested: they carry no tag, whatever is bound to them later. */
  readonly gone_groups: ReadonlySet<string>;
}

/**
 * The rows after the events, in their order; what a row holds already changes nothing. `rows` must hold what the events
 * name, the bindings of deleted tags and data sources, and the tags of all of these.
 */
export const tagRows = (rows: TagRows, events: readonly ProjectedEvent[]): TagRows => {
  const draft: Draft = {
    tags: new Map(rows.tags),
    bindings: new Map(rows.bindings),
    gone_groups: new Set(rows.gone_groups),
  };
  for (const { event, streamId, revision } of events) {
    if (event.type === 'DataSourceDeletionRequested') {
      draft.gone_groups.add(streamId);
      endAll(draft, (binding) => binding.source_group_id === streamId);
    } else if (isOfTag(event)) applyOfTag(draft, event, streamId, revision);
  }
  return draft;
};

interface Draft {
  readonly tags: Map<string, TagRow>;
  readonly bindings: Map<string, TagBindingRow>;
  readonly gone_groups: Set<string>;
}

const applyOfTag = (draft: Draft, event: TagEvent, tenant: string, revision: bigint): void => {
  const { tag_id: id, at: created_at } = event;
  const before = draft.tags.get(id);
  if (before !== undefined && before.revision >= revision) return;
  if (event.type === 'TagCreated') {
    const { name, description } = event;
    const unused = { source_group_count: 0, deleted: false };
    draft.tags.set(id, { id, tenant, name, description, created_at, ...unused, revision });
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
      endAll(draft, ({ tag_id }) => tag_id === tag.id);
      draft.tags.set(tag.id, { ...tag, source_group_count: 0, deleted: true });
      return;
    case 'TagBound': {
      const { binding_id: id, tag_id, source_group_id, at: created_at } = event;
      const gone = draft.gone_groups.has(source_group_id);
      draft.bindings.set(id, { id, tenant: tag.tenant, tag_id, source_group_id, created_at, gone });
      if (!gone) draft.tags.set(tag.id, { ...tag, source_group_count: tag.source_group_count + 1 });
      return;
    }
    case 'TagUnbound':
      endAll(draft, ({ id }) => id === event.binding_id);
      return;
  }
};

const endAll = ({ tags, bindings }: Draft, ends: (binding: TagBindingRow) => boolean): void => {
  for (const binding of bindings.values()) {
    if (binding.gone || !ends(binding)) continue;
    bindings.set(binding.id, { ...binding, gone: true });
    const tag = tags.get(binding.tag_id);
    if (tag !== undefined) tags.set(tag.id, { ...tag, source_group_count: tag.source_group_count - 1 });
  }
};

export const isOfTag = (event: { readonly type: string }): event is TagEvent => event.type.startsWith('Tag');
