import type { Equivalents } from '../equivalent.ts';

export const TAGS: readonly Equivalents[] = [
  {
    file: 'application/sources/tags/binding-operations.ts',
    why: 'a tag that was bound just now is there, with its binding, which the compiler is to be told',
    mutants: [
      ['done.state.tags.get(tagId)?.bindings', 'done.state.tags.get(tagId).bindings'],
      ['binding === undefined', 'false'],
    ],
  },
  {
    file: 'application/sources/tags/binding-operations.ts',
    why: 'a binding never changes its group, and of one that has ended the decision says the same',
    mutants: [
      ['(tagging: Tagging): void => void seen(caller, bindingId, tagging)', '() => undefined'],
      ['{ guard }', '{}'],
    ],
  },
  {
    file: 'application/sources/tags/operations.ts',
    why: 'no guard is as none; ids that were made just now are in no event',
    mutants: [
      ['guard === undefined', 'false'],
      ['replayed', 'true'],
    ],
  },
  {
    file: 'application/sources/tags/operations.ts',
    why: 'a tag that was changed just now is there; of one that is not, whoever decides says the same',
    mutants: [['living === undefined', 'false']],
  },
  {
    file: 'application/sources/tags/tag-events.ts',
    why: 'no state is there only of a stream of another tenant, and the tenant is the name of this one',
    mutants: [
      [
        '(await execute.load(tag, tagStream(tenant), tenant))?.state',
        '(await execute.load(tag, tagStream(tenant), tenant)).state',
      ],
      [
        '(await execute.load(tag, stream, tenant))?.revision',
        '(await execute.load(tag, stream, tenant)).revision',
      ],
    ],
  },
  {
    file: 'application/sources/tags/tag-events.ts',
    why: 'a text is not more than 0, so that nothing is read of a stream without events',
    mutants: [
      ["'none'", '""'],
      ["newest === 'none'", 'false'],
    ],
  },
  {
    file: 'application/sources/tags/tag-events.ts',
    why: 'a page of 500 begins at 0 either way, and none is empty',
    mutants: [
      ['end > PAGE', 'end >= PAGE'],
      ['page[0]?.recorded', 'page[0].recorded'],
      ['recorded === undefined', 'false'],
    ],
  },
];
