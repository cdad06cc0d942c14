import { fold, type StateShape } from '../shared/decider.ts';
import type { TagEvent } from './events.ts';
import { type Binding, evolve, initial, type LivingTag, type Tagging } from './state.ts';

/** The tags, and their bindings without what tells nothing: id, tag, source group and time. */
interface Written {
  readonly tags: readonly Omit<LivingTag, 'bindings'>[];
  readonly bindings: readonly (readonly [id: string, tag: string, group: string, at: number])[];
}

/** Written as what would make the same tags and bindings again. */
export const taggingShape: StateShape<Tagging> = {
  name: 'tag',
  version: 1,
  toJson: ({ tags, bindings }): Written => ({
    tags: Array.from(tags.values(), withoutBindings),
    bindings: Array.from(bindings.values(), (one) => [
      one.binding_id,
      one.tag_id,
      one.source_group_id,
      one.at,
    ]),
  }),
  fromJson: (json) => fold({ evolve }, eventsOf(json as Written), initial),
  entries: ({ tags, bindings }) => tags.size + 2 * bindings.size,
};

const withoutBindings = (tag: LivingTag): Omit<LivingTag, 'bindings'> => {
  const { bindings: _, ...facts } = tag;
  return facts;
};

function* eventsOf({ tags, bindings }: Written): Generator<TagEvent> {
  for (const facts of tags) yield { type: 'TagCreated', ...facts };
  for (const [binding_id, tag_id, source_group_id, at] of bindings) {
    const binding: Binding = { binding_id, tag_id, source_group_id, at };
    yield { type: 'TagBound', ...binding };
  }
}
