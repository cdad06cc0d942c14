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
    return { tags: tags.with(tag.tag_id, tag), names: names.with(tag.name, tag.tag_id), bindings };
  }
  const tag = tags.get(event.tag_id);
  if (tag === undefined) throw new Error(`${event.type} of ${event.tag_id} before TagCreated`);
  switch (event.type) {
    case 'TagChanged': {
      const { name, description } = event;
      const renamed = names.without(tag.name).with(name, tag.tag_id);
      return { tags: tags.with(tag.tag_id, { ...tag, name, description }), names: renamed, bindings };
    }
    case 'TagDeleted': {
      let left = bindings;
      for (const { binding_id } of tag.bindings.values()) left = left.without(binding_id);
      return { tags: tags.without(tag.tag_id), names: names.without(tag.name), bindings: left };
    }
    case 'TagBound': {
      const { type: _, ...binding } = event;
      return withBindings(state, tag, tag.bindings.with(event.source_group_id, binding), {
        bindings: bindings.with(event.binding_id, binding),
      });
    }
    case 'TagUnbound':
      return withBindings(state, tag, tag.bindings.without(event.source_group_id), {
        bindings: bindings.without(event.binding_id),
      });
  }
};

const withBindings = (
  state: Tagging,
  tag: LivingTag,
  ofTag: PersistentMap<Binding>,
  all: Pick<Tagging, 'bindings'>,
): Tagging => ({ ...state, ...all, tags: state.tags.with(tag.tag_id, { ...tag, bindings: ofTag }) });

export const bindingOf = ({ bindings }: Tagging, binding_id: string): Binding | undefined =>
  bindings.get(binding_id);
