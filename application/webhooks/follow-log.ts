import { isOurs, streamIdOf } from '../event-sourcing/event-codec.ts';
import { categoryOf } from '../ports/event-checks.ts';
import type { EventFeed, EventFilter, EventStreams, RecordedEvent } from '../ports/event-store.ts';
import type { Clock } from '../ports/identity.ts';
import type { FollowedWebhook, NewDelivery, WebhookDeliveries, WebhookRow } from '../ports/webhooks.ts';

export interface FollowLogDeps {
  readonly feed: Pick<EventFeed, 'head' | 'read'>;
  readonly store: Pick<EventStreams, 'readStream'>;
  readonly deliveries: Pick<WebhookDeliveries, 'add' | 'pending'>;
  readonly clock: Clock;
}

/** Events per read of the log. */
const PAGE = 200;
/** Pending deliveries of a webhook, beyond which it reads no further: the rest waits in the log. */
const MAX_PENDING = 10_000;

/** Reads the log from the place of a webhook, and adds its deliveries. True: there may be more to read. */
export const createFollowLog = (deps: FollowLogDeps) => {
  const sourceOf = createSourceOf(deps.store);
  return async ({ webhook, position }: FollowedWebhook): Promise<boolean> => {
    if ((await deps.deliveries.pending(webhook.id)) >= MAX_PENDING) return false;
    const page = await deps.feed.read(position, filterOf(webhook), PAGE);
    if (page.position === position) return page.more;
    const found: NewDelivery[] = [];
    for (const event of page.events) {
      if (!isOurs(event)) continue;
      const sourceId = await sourceOf(event);
      if (!reaches(webhook, sourceId)) continue;
      const { id, stream, revision, type } = event;
      found.push({ id, stream, revision, position: event.position, type, lane: sourceId ?? stream });
    }
    await deps.deliveries.add(webhook.id, position, page.position, found, deps.clock.now());
    return page.more;
  };
};

const filterOf = ({ tenant, types, categories }: WebhookRow): EventFilter => ({
  tenant,
  ...(types !== null && { types }),
  ...(categories !== null && { categories }),
});

const reaches = ({ sourceGroupIds }: WebhookRow, sourceId: string | null): boolean =>
  sourceGroupIds === null || (sourceId !== null && sourceGroupIds.includes(sourceId));

/** Streams whose data source is remembered. */
const MAX_KNOWN = 10_000;

/**
 * The data source that an event belongs to: its own events, and those of its setting and its documents. Null: none.
 * Where the event does not name it, the first one of its stream does.
 */
const createSourceOf = (store: Pick<EventStreams, 'readStream'>) => {
  const known = new Map<string, string | null>();
  return async (event: RecordedEvent): Promise<string | null> => {
    const { stream } = event;
    switch (categoryOf(stream)) {
      case 'dataSource':
        return streamIdOf(stream);
      case 'source':
      case 'ingestionSetting': {
        const remembered = namedIn(event) ?? known.get(stream);
        if (remembered !== undefined) return remembered;
        const [first] = await store.readStream(stream, 0n, 1);
        const found = (first && namedIn(first)) ?? null;
        if (known.size === MAX_KNOWN) known.clear();
        known.set(stream, found);
        return found;
      }
      default:
        return null;
    }
  };
};

const namedIn = ({ data }: RecordedEvent): string | undefined => {
  const id = data['data_source_id'];
  return typeof id === 'string' ? id : undefined;
};
