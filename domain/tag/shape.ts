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
  version: 2,
  toJson: ({ tags, bindings }): Written => ({
    tags: Array.from(tags.values(), withoutBindings),
    bindings: Array.from(bindings.values(), (one) => [one.bindingId, one.tagId, one.sourceGroupId, one.at]),
  }),
  fromJson: (json) => taggingOf(json as Written),
  entries: ({ tags, bindings }) => tags.size + 2 * bindings.size,
};

const withoutBindings = (tag: LivingTag): Omit<LivingTag, 'bindings'> => {
  const { bindings: _, ...facts } = tag;
  return facts;
};

const taggingOf = (written: Written): Tagging => {
  const bindings = written.bindings.map(([bindingId, tagId, sourceGroupId, at]): Binding => ({
    bindingId,
    tagId,
    sourceGroupId,
    at,
  }));
  const byTag = Map.groupBy(bindings, ({ tagId }) => tagId);
  const tags = written.tags.map((facts): LivingTag => ({
    ...facts,
    bindings: mapOfAll(byTag.get(facts.tagId) ?? [], ({ sourceGroupId }) => sourceGroupId),
  }));
  return {
    tags: mapOfAll(tags, ({ tagId }) => tagId),
    names: tags.reduce((names, { name, tagId }) => names.with(name, tagId), emptyMap<string>()),
    bindings: mapOfAll(bindings, ({ bindingId }) => bindingId),
  };
};
