import { shareFeed } from '../../event-feed/shared-feed.ts';
import type { EventFeed } from '../../../application/ports/event-store.ts';
import type { Projection } from './projection.ts';

/** A feed for these views: one reading of the log for all that stand at the same place. Make one per process. */
export const feedOfViews = <Feed extends EventFeed>(feed: Feed, views: readonly Projection[]): Feed => {
  const categories = views.map(({ filter }) => filter.categories);
  const followers = views.length;
  return shareFeed(
    feed,
    categories.includes(undefined) ? { followers } : { followers, categories: union(categories) },
  );
};

const union = (lists: readonly (readonly string[] | undefined)[]): readonly string[] => [
  ...new Set(lists.flatMap((list) => list ?? [])),
];
