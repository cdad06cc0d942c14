import type { TagCommand } from '../../domain/tag/decider.ts';

/** Creates a tag; its id is its name unless another is given. */
export const createTag = (name: string, tagId = name): TagCommand => ({
  type: 'create',
  tagId,
  name,
  description: '',
  at: 1,
});
