import type { StateShape } from '../shared/decider.ts';
import { emptyMap, mapOfAll } from '../shared/persistent-map.ts';
import type { Binding, LivingTag, Tagging } from './state.ts';

interface Written {
  readonly tags: readonly Omit<LivingTag, 'bindings'>[];
  /** There may be very many: without the names of their parts. */
  readonly bindings: readonly (readonly [id: string, tag: string, group: string, at: number])[];
}

/** The tags, and all bindings once. */
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
  fromJson: (json) => taggingOf(json as Written),
  entries: ({ tags, bindings }) => tags.size + 2 * bindings.size,
};

const withoutBindings = (tag: LivingTag): Omit<LivingTag, 'bindings'> => {
  const { bindings: _, ...facts } = tag;
  return facts;
};

const taggingOf = (written: Written): Tagging => {
  const bindings = written.bindings.map(([binding_id, tag_id, source_group_id, at]): Binding => ({
    binding_id,
    tag_id,
    source_group_id,
    at,
  }));
  const byTag = Map.groupBy(bindings, ({ tag_id }) => tag_id);
  const tags = written.tags.map((facts): LivingTag => ({
    ...facts,
    bindings: mapOfAll(byTag.get(facts.tag_id) ?? [], ({ source_group_id }) => source_group_id),
  }));
  return {
    tags: mapOfAll(tags, ({ tag_id }) => tag_id),
    names: tags.reduce((names, { name, tag_id }) => names.with(name, tag_id), emptyMap<string>()),
    bindings: mapOfAll(bindings, ({ binding_id }) => binding_id),
  };
};
