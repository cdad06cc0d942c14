import { emptyMap, type PersistentMap } from '../shared/persistent-map.ts';
import type { TagBound, TagCreated, TagEvent } from './events.ts';

export type Binding = Omit<TagBound, 'type'>;

export interface LivingTag extends Omit<TagCreated, 'type'> {
  /** By source group. */
  readonly bindings: PersistentMap<Binding>;
}
/** The tags of one tenant that were not deleted. Every question of a decision is one look-up, however many there are. */
export interface Tagging {
  /** By id. */
  readonly tags: PersistentMap<LivingTag>;
  /** Ids of tags, by their names. */
  readonly names: PersistentMap<string>;
  /** The bindings of all tags, by their own ids. */
  readonly bindings: PersistentMap<Binding>;
}

export const initial: Tagging = { tags: emptyMap(), names: emptyMap(), bindings: emptyMap() };

export const evolve = (state: Tagging, event: TagEvent): Tagging => {
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
  state: Tagging,
  tag: LivingTag,
  ofTag: PersistentMap<Binding>,
  all: Pick<Tagging, 'bindings'>,
): Tagging => ({ ...state, ...all, tags: state.tags.with(tag.tagId, { ...tag, bindings: ofTag }) });

export const bindingOf = ({ bindings }: Tagging, bindingId: string): Binding | undefined =>
  bindings.get(bindingId);
