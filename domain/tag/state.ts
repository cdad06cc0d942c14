import { emptyMap, type PersistentMap } from '../shared/persistent-map.ts';
import type { TagBound, TagCreated, TagEvent } from './events.ts';

export type Binding = Omit<TagBound, 'type'>;

export interface LivingTag extends Omit<TagCreated, 'type'> {
  /** By source group. */
  readonly bindings: PersistentMap<Binding>;
}
/** The tags of one tenant that were not deleted, by id. */
export interface Tagging {
  readonly tags: PersistentMap<LivingTag>;
}

export const initial: Tagging = { tags: emptyMap() };

export const evolve = ({ tags }: Tagging, event: TagEvent): Tagging => {
  if (event.type === 'TagCreated') {
    const { type: _, ...facts } = event;
    return { tags: tags.with(event.tag_id, { ...facts, bindings: emptyMap() }) };
  }
  const tag = tags.get(event.tag_id);
  if (tag === undefined) throw new Error(`${event.type} of ${event.tag_id} before TagCreated`);
  switch (event.type) {
    case 'TagChanged': {
      const { name, description } = event;
      return { tags: tags.with(tag.tag_id, { ...tag, name, description }) };
    }
    case 'TagDeleted':
      return { tags: tags.without(tag.tag_id) };
    case 'TagBound': {
      const { type: _, ...binding } = event;
      const bindings = tag.bindings.with(event.source_group_id, binding);
      return { tags: tags.with(tag.tag_id, { ...tag, bindings }) };
    }
    case 'TagUnbound': {
      const bindings = tag.bindings.without(event.source_group_id);
      return { tags: tags.with(tag.tag_id, { ...tag, bindings }) };
    }
  }
};

export const bindingOf = ({ tags }: Tagging, binding_id: string): Binding | undefined => {
  for (const { bindings } of tags.values()) {
    for (const binding of bindings.values()) if (binding.binding_id === binding_id) return binding;
  }
  return undefined;
};
