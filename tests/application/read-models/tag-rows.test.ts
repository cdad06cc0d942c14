import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DomainEvent, ProjectedEvent } from '../../../application/event-sourcing/aggregates.ts';
import { isTagEvent, type TagRows, tagRows } from '../../../application/read-models/tag-rows.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { tag } from '../../../domain/tag/decider.ts';

const NOTHING: TagRows = { tags: new Map(), bindings: new Map(), deletedGroups: new Set() };

/** Events of the tags of a tenant and of its data sources, with the revisions of their streams. */
const tagHistory = (events: readonly DomainEvent[], groups: readonly string[] = []) => {
  let revision = -1n;
  return events.map((event, i): ProjectedEvent => {
    const ofTag = event.type.startsWith('Tag');
    if (ofTag) revision += 1n;
    const streamId = ofTag ? 'acme' : (groups[i] ?? 'g');
    return {
      id: String(i),
      stream: `${ofTag ? 'tag' : 'dataSource'}-${streamId}`,
      streamId,
      revision: ofTag ? revision : 5n,
      position: String(i),
      recordedAt: i,
      event,
      metadata: {
        tenant: 'acme',
        actor: { kind: 'system', id: '' },
        correlationId: '',
        causationId: '',
        schemaVersion: 1,
      },
    };
  });
};

const created = (tagId: string): DomainEvent => ({
  type: 'TagCreated',
  tagId,
  name: `name of ${tagId}`,
  description: '',
  at: 1,
});
const bound = (
  tagId: string,
  sourceGroupId: string,
  bindingId = `${tagId}${sourceGroupId}`,
): DomainEvent => ({
  type: 'TagBound',
  bindingId,
  tagId,
  sourceGroupId,
  at: 2,
});
const unbound = (
  tagId: string,
  sourceGroupId: string,
  bindingId = `${tagId}${sourceGroupId}`,
): DomainEvent => ({
  type: 'TagUnbound',
  bindingId,
  tagId,
  sourceGroupId,
  at: 3,
});
const deleted = (tagId: string): DomainEvent => ({ type: 'TagDeleted', tagId, at: 4 });
const groupGone: DomainEvent = { type: 'DataSourceDeletionRequested', interruptedJobId: null, at: 5 };

/** The events that the aggregate would decide on; a data source goes at any time, and tags do not hear of it. */
const possible = (
  kind: string,
  tagId: string,
  sourceGroupId: string,
  earlier: readonly DomainEvent[],
): readonly DomainEvent[] => {
  if (kind === 'group goes') return [groupGone];
  const state = fold(tag, earlier.filter(isTagEvent), tag.initial);
  const binding = state.tags.get(tagId)?.bindings.get(sourceGroupId);
  if (kind === 'unbind') return binding ? [unbound(tagId, sourceGroupId, binding.bindingId)] : [];
  if (!state.tags.has(tagId)) return [];
  if (kind === 'delete') return [deleted(tagId)];
  return binding ? [] : [bound(tagId, sourceGroupId, `binding ${earlier.length}`)];
};

const after = (...events: readonly DomainEvent[]) => tagRows(NOTHING, tagHistory(events));
const living = ({ bindings }: TagRows) =>
  [...bindings.values()].flatMap(({ id, gone }) => (gone ? [] : [id]));

describe('the rows of tags', () => {
  it('hold name, description and the number of groups', () => {
    const changed = { type: 'TagChanged', tagId: 'a', name: 'new', description: 'd', at: 9 } as const;
    const { tags } = after(created('a'), bound('a', 'g'), bound('a', 'h'), changed);
    expect(tags.get('a')).toStrictEqual({
      id: 'a',
      tenant: 'acme',
      name: 'new',
      description: 'd',
      createdAt: 1,
      sourceGroupCount: 2,
      deleted: false,
      revision: 3n,
    });
  });

  it('count the living bindings after any history, and do not change by events that they hold already', () => {
    const step = fc.record({
      kind: fc.constantFrom('bind', 'bind', 'bind', 'bind', 'unbind', 'delete', 'group goes'),
      tagId: fc.constantFrom('a', 'b'),
      sourceGroupId: fc.constantFrom('g', 'h'),
    });
    const most = { bindings: 0 };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12, size: 'max' }), (steps) => {
        const events: DomainEvent[] = [created('a'), created('b')];
        const groups = ['', ''];
        for (const { kind, tagId, sourceGroupId } of steps) {
          events.push(...possible(kind, tagId, sourceGroupId, events));
          groups.push(...Array.from({ length: events.length - groups.length }, () => sourceGroupId));
        }
        const history = tagHistory(events, groups);
        const rows = tagRows(NOTHING, history);
        most.bindings = Math.max(most.bindings, living(rows).length);
        for (const { id, sourceGroupCount } of rows.tags.values()) {
          const own = [...rows.bindings.values()].filter(({ tagId, gone }) => tagId === id && !gone);
          expect(sourceGroupCount).toBe(own.length);
          expect(own.filter(({ sourceGroupId }) => rows.deletedGroups.has(sourceGroupId))).toEqual([]);
        }
        for (let i = 0; i <= history.length; i++) {
          expect(tagRows(rows, history.slice(i))).toStrictEqual(rows);
          const inBatches = tagRows(tagRows(NOTHING, history.slice(0, i)), history.slice(i));
          expect(inBatches).toStrictEqual(rows);
        }
      }),
      { numRuns: 200 },
    );
    expect(most.bindings).toBeGreaterThan(2);
  });
});
