import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../../domain/shared/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { bindingOf, tag, type TagCommand, type TagState } from '../../../domain/tag/decider.ts';
import { historyOf, refusalOf } from '../../support/decisions.ts';

const create = (tagId: string, name = tagId): TagCommand => ({
  type: 'create',
  tagId,
  name,
  description: '',
  at: 1,
});
const change = (tagId: string, changes: { name?: string; description?: string }): TagCommand => ({
  type: 'change',
  tagId,
  ...changes,
  at: 2,
});
const remove = (tagId: string): TagCommand => ({ type: 'delete', tagId, at: 3 });
const bind = (tagId: string, sourceGroupId: string, bindingId = `${tagId}-${sourceGroupId}`): TagCommand => ({
  type: 'bind',
  bindingId,
  tagId,
  sourceGroupId,
  at: 4,
});
const unbind = (bindingId: string): TagCommand => ({ type: 'unbind', bindingId, at: 5 });

const decided = (command: TagCommand, ...earlier: readonly TagCommand[]) =>
  tag.decide(command, historyOf(tag, earlier).state);
const refusal = (command: TagCommand, ...earlier: readonly TagCommand[]) =>
  refusalOf(() => decided(command, ...earlier));

describe('a tag', () => {
  it('is created once for an id', () => {
    expect(decided(create('a'))).toStrictEqual([
      { type: 'TagCreated', tagId: 'a', name: 'a', description: '', at: 1 },
    ]);
    expect(decided(create('a', 'other'), create('a'))).toStrictEqual([]);
  });

  it.each([
    ['the name of another', [create('b')], create('a', 'b'), 'name_taken'],
    ['a name in another case', [create('b')], create('a', 'B'), null],
    ['the name of a deleted one', [create('b'), remove('b')], create('a', 'b'), null],
    ['the old name of another', [create('b'), change('b', { name: 'c' })], create('a', 'b'), null],
    ['the new name of another', [create('b'), change('b', { name: 'c' })], create('a', 'c'), 'name_taken'],
    [
      'the name of another, by a change',
      [create('a'), create('b')],
      change('a', { name: 'b' }),
      'name_taken',
    ],
    ['its own name again', [create('a')], change('a', { name: 'a', description: 'x' }), null],
  ])('takes %s', (_, earlier, command, code) => {
    expect(refusal(command, ...earlier)).toBe(code);
  });

  it('changes what is given, and nothing that is so already', () => {
    expect(decided(change('a', { description: 'x' }), create('a'))).toStrictEqual([
      { type: 'TagChanged', tagId: 'a', name: 'a', description: 'x', at: 2 },
    ]);
    expect(decided(change('a', { name: 'a', description: '' }), create('a'))).toStrictEqual([]);
  });

  it('that there is not is not found', () => {
    for (const command of [change('a', { name: 'b' }), remove('a'), bind('a', 'g'), unbind('x')]) {
      expect(refusal(command)).toBe('not_found');
      expect(refusal(command, create('a'), bind('a', 'g', 'x'), remove('a'))).toBe('not_found');
    }
  });
});

describe('a binding', () => {
  it('is made once for a pair', () => {
    expect(decided(bind('a', 'g', 'x'), create('a'))).toStrictEqual([
      { type: 'TagBound', bindingId: 'x', tagId: 'a', sourceGroupId: 'g', at: 4 },
    ]);
    expect(decided(bind('a', 'g', 'y'), create('a'), bind('a', 'g', 'x'))).toStrictEqual([]);
    expect(decided(bind('a', 'h', 'y'), create('a'), bind('a', 'g', 'x'))).toHaveLength(1);
  });

  it('is undone by its id, and may then be made again', () => {
    const bound = [create('a'), bind('a', 'g', 'x')];
    expect(decided(unbind('x'), ...bound)).toStrictEqual([
      { type: 'TagUnbound', bindingId: 'x', tagId: 'a', sourceGroupId: 'g', at: 5 },
    ]);
    expect(refusal(unbind('x'), ...bound, unbind('x'))).toBe('not_found');
    expect(decided(bind('a', 'g', 'y'), ...bound, unbind('x'))).toHaveLength(1);
  });
});

describe('the state of all tags', () => {
  it('knows no event of a tag before it was created', () => {
    const changed = { type: 'TagDeleted', tagId: 'a', at: 1 } as const;
    expect(() => tag.evolve(tag.initial, changed)).toThrow('before TagCreated');
  });
});

describe('any history', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd');
  const group = fc.constantFrom('g', 'h');
  const command: fc.Arbitrary<TagCommand> = fc.oneof(
    { weight: 2, arbitrary: fc.tuple(id, id).map(([one, name]) => create(one, name)) },
    fc.tuple(id, id).map(([one, name]) => change(one, { name })),
    id.map(remove),
    { weight: 3, arbitrary: fc.tuple(id, group).map(([one, of]) => bind(one, of)) },
    fc.tuple(id, group).map(([one, of]) => unbind(`${one}-${of}`)),
  );

  it('leaves every name to one tag, and is what its events say', () => {
    const reached = { tags: 0, bindings: 0, refused: 0 };
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60, size: 'max' }), (commands) => {
        let state: TagState = tag.initial;
        for (const one of commands) {
          try {
            state = fold(tag, tag.decide(one, state), state);
          } catch (error) {
            if (!(error instanceof DomainError)) throw error;
            reached.refused += 1;
          }
          const tags = [...state.tags.values()];
          expect(new Set(tags.map(({ name }) => name)).size).toBe(tags.length);
          const bindings = tags.flatMap((of) => [...of.bindings.values()]);
          expect(new Set(bindings.map(({ bindingId }) => bindingId)).size).toBe(bindings.length);
          const named = tags.map(({ name, tagId }) => [state.names.get(name), tagId]);
          expect(named.every(([found, tagId]) => found === tagId)).toBe(true);
          expect(bindings.every((binding) => bindingOf(state, binding.bindingId) === binding)).toBe(true);
          expect([state.names.size, state.bindings.size]).toEqual([tags.length, bindings.length]);
          reached.tags = Math.max(reached.tags, tags.length);
          reached.bindings = Math.max(reached.bindings, bindings.length);
        }
      }),
      { numRuns: 60 },
    );
    expect(reached).toMatchObject({ tags: 4 });
    expect(reached.bindings).toBeGreaterThan(3);
    expect(reached.refused).toBeGreaterThan(100);
  });
});
