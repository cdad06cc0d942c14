import { emptyMap, type PersistentMap } from '../shared/persistent-map.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Decider } from '../shared/decider.ts';

/**
 * Events of a tenant's tags and their bindings to source groups. They share one stream, because "a name is used once"
 * and "a pair is bound once" are rules over all of them.
 */

export interface TagCreated {
  readonly type: 'TagCreated';
  readonly tagId: string;
  readonly name: string;
  /** Empty for none. */
  readonly description: string;
  readonly at: number;
}
/** Contains both the name and the description. */
export interface TagChanged {
  readonly type: 'TagChanged';
  readonly tagId: string;
  readonly name: string;
  readonly description: string;
  readonly at: number;
}
/** Also ends the bindings of the tag; its name is free again. */
export interface TagDeleted {
  readonly type: 'TagDeleted';
  readonly tagId: string;
  readonly at: number;
}
/** Binds the tag to a source group. */
export interface TagBound {
  readonly type: 'TagBound';
  readonly bindingId: string;
  readonly tagId: string;
  readonly sourceGroupId: string;
  readonly at: number;
}
export interface TagUnbound {
  readonly type: 'TagUnbound';
  readonly bindingId: string;
  readonly tagId: string;
  readonly sourceGroupId: string;
  readonly at: number;
}
export type TagEvent = TagCreated | TagChanged | TagDeleted | TagBound | TagUnbound;

export interface CreateTag {
  readonly type: 'create';
  readonly tagId: string;
  readonly name: string;
  readonly description: string;
  readonly at: number;
}
export interface ChangeTag {
  readonly type: 'change';
  readonly tagId: string;
  /** Absent fields keep their values. */
  readonly name?: string;
  readonly description?: string;
  readonly at: number;
}
export interface DeleteTag {
  readonly type: 'delete';
  readonly tagId: string;
  readonly at: number;
}
/** The caller must have checked that the source group exists, because it has its own stream. */
export interface BindTag {
  readonly type: 'bind';
  readonly bindingId: string;
  readonly tagId: string;
  readonly sourceGroupId: string;
  readonly at: number;
}
export interface UnbindTag {
  readonly type: 'unbind';
  readonly bindingId: string;
  readonly at: number;
}
export type TagCommand = CreateTag | ChangeTag | DeleteTag | BindTag | UnbindTag;

export type Binding = Omit<TagBound, 'type'>;

export interface ActiveTag extends Omit<TagCreated, 'type'> {
  /** By source group. */
  readonly bindings: PersistentMap<Binding>;
}
/** The tags of one tenant that are not deleted, indexed so that every decision needs one lookup. */
export interface TagState {
  /** By id. */
  readonly tags: PersistentMap<ActiveTag>;
  /** Ids of tags by name. */
  readonly names: PersistentMap<string>;
  /** The bindings of all tags by binding id. */
  readonly bindings: PersistentMap<Binding>;
}

const initial: TagState = { tags: emptyMap(), names: emptyMap(), bindings: emptyMap() };

const evolve = (state: TagState, event: TagEvent): TagState => {
  const { tags, names, bindings } = state;
  if (event.type === 'TagCreated') {
    const { type: _, ...facts } = event;
    const tag = { ...facts, bindings: emptyMap<Binding>() };
    return { tags: tags.with(tag.tagId, tag), names: names.with(tag.name, tag.tagId), bindings };
  }
  const tag = tags.get(event.tagId);
  if (tag === undefined) throw new Error(`${event.type} of ${event.tagId} before TagCreated`);
  switch (event.type) {
    case 'TagChanged': {
      const { name, description } = event;
      const renamed = names.without(tag.name).with(name, tag.tagId);
      return { tags: tags.with(tag.tagId, { ...tag, name, description }), names: renamed, bindings };
    }
    case 'TagDeleted': {
      let left = bindings;
      for (const { bindingId } of tag.bindings.values()) left = left.without(bindingId);
      return { tags: tags.without(tag.tagId), names: names.without(tag.name), bindings: left };
    }
    case 'TagBound': {
      const { type: _, ...binding } = event;
      return withBindings(state, tag, tag.bindings.with(event.sourceGroupId, binding), {
        bindings: bindings.with(event.bindingId, binding),
      });
    }
    case 'TagUnbound':
      return withBindings(state, tag, tag.bindings.without(event.sourceGroupId), {
        bindings: bindings.without(event.bindingId),
      });
  }
};

const withBindings = (
  state: TagState,
  tag: ActiveTag,
  ofTag: PersistentMap<Binding>,
  all: Pick<TagState, 'bindings'>,
): TagState => ({ ...state, ...all, tags: state.tags.with(tag.tagId, { ...tag, bindings: ofTag }) });

export const bindingOf = ({ bindings }: TagState, bindingId: string): Binding | undefined =>
  bindings.get(bindingId);

const decide = (command: TagCommand, tagging: TagState): readonly TagEvent[] => {
  switch (command.type) {
    case 'create':
      return create(command, tagging);
    case 'change':
      return change(command, tagging);
    case 'delete': {
      const { tagId } = existing(command.tagId, tagging);
      return [{ type: 'TagDeleted', tagId, at: command.at }];
    }
    case 'bind':
      return bind(command, tagging);
    case 'unbind': {
      const binding = bindingOf(tagging, command.bindingId);
      if (binding === undefined) throw new DomainError('not_found', 'there is no such tag binding');
      return [{ ...binding, type: 'TagUnbound', at: command.at }];
    }
  }
};

const create = (command: CreateTag, tagging: TagState): readonly TagEvent[] => {
  if (tagging.tags.has(command.tagId)) return [];
  mustBeFree(command.name, tagging);
  return [{ ...command, type: 'TagCreated' }];
};

const change = (command: ChangeTag, tagging: TagState): readonly TagEvent[] => {
  const tag = existing(command.tagId, tagging);
  const { name = tag.name, description = tag.description, tagId, at } = command;
  if (name === tag.name && description === tag.description) return [];
  if (name !== tag.name) mustBeFree(name, tagging);
  return [{ type: 'TagChanged', tagId, name, description, at }];
};

const bind = (command: BindTag, tagging: TagState): readonly TagEvent[] => {
  const { bindings } = existing(command.tagId, tagging);
  return bindings.has(command.sourceGroupId) ? [] : [{ ...command, type: 'TagBound' }];
};

/** Names are compared exactly: case and accents matter. */
const mustBeFree = (name: string, { names }: TagState): void => {
  if (names.has(name)) throw new DomainError('name_taken', 'a tag with this name already exists');
};

const existing = (tagId: string, { tags }: TagState): ActiveTag => {
  const tag = tags.get(tagId);
  if (tag === undefined) throw new DomainError('not_found', 'there is no such tag');
  return tag;
};

export const tag: Decider<TagCommand, TagEvent, TagState, 'tag'> = {
  category: 'tag',
  initial,
  decide,
  evolve,
};
