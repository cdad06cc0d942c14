import type { Service } from '../tests/support/service.ts';
import { metadataOf } from './check-commands.ts';
import { field } from './check-streams.ts';
import type { Found } from './faults.ts';
import { categoryOf, type Log, type LogEvent } from './log.ts';

/** What reads answer now is what the log says: audit trails, status of crawls, names, metadata in force, keys. */
export const checkAnswers = async (service: Service, log: Log, found: Found): Promise<void> => {
  const crawls = new Map((await Array.fromAsync(service.all('/crawls'))).map((crawl) => [crawl.id, crawl]));
  const sources = new Map(
    (await Array.fromAsync(service.all('/sources', { query: { limit: 100 } }))).map((source) => [
      source.id,
      source,
    ]),
  );
  for (const [stream, events] of log.streams) {
    const id = stream.slice(stream.indexOf('-') + 1);
    const category = categoryOf(stream);
    if (category === 'dataSource') await checkTrail(service, id, events, crawls.get(id), found);
    if (category === 'ingestionSetting') checkName(events, crawls, found);
    if (category === 'source') checkMetadata(id, events, sources.get(id), found);
    if (category === 'apiKey') await checkKeys(service, events, found);
  }
};

const checkTrail = async (
  service: Service,
  id: string,
  events: readonly LogEvent[],
  crawl: { readonly status: string } | undefined,
  found: Found,
): Promise<void> => {
  const trail = await Array.fromAsync(service.all('/crawls/{id}/events', { path: { id } }));
  const told = (those: readonly { readonly revision: number; readonly type: string }[]): string =>
    those.map(({ revision, type }) => `${revision} ${type}`).join();
  if (told(trail) !== told(events))
    found.lost.push(`the trail of ${id} is ${told(trail)}, the log has ${told(events)}`);
  const status = trail.at(-1)?.to_status;
  if ((crawl?.status ?? 'removed') !== status)
    found.views_differ.push(
      `crawl ${id} is shown as ${crawl?.status ?? 'removed'}, its stream ends with ${status}`,
    );
};

const checkName = (
  events: readonly LogEvent[],
  crawls: ReadonlyMap<string, { readonly name: string }>,
  found: Found,
): void => {
  const crawl = crawls.get(field(events[0]?.data ?? {}, 'data_source_id'));
  const named = events.findLast(({ data }) => field(data, 'name') !== '');
  if (crawl !== undefined && crawl.name !== field(named?.data ?? {}, 'name'))
    found.views_differ.push(`a crawl is shown as ${crawl.name}, which is not what ${named?.stream} says`);
};

const checkMetadata = (
  id: string,
  events: readonly LogEvent[],
  source: { readonly metadata: { readonly records: unknown } } | undefined,
  found: Found,
): void => {
  if (source === undefined) return;
  const shown = JSON.stringify(source.metadata.records);
  if (shown !== metadataOf(events))
    found.views_differ.push(`source ${id} has ${shown}, not ${metadataOf(events)}`);
};

const checkKeys = async (service: Service, events: readonly LogEvent[], found: Found): Promise<void> => {
  const revoked = new Set(idsOf(events, 'ApiKeyRevoked'));
  const living = idsOf(events, 'ApiKeyIssued').filter((id) => !revoked.has(id));
  const shown = (await Array.fromAsync(service.all('/api-keys'))).map(({ id }) => id);
  if (shown.toSorted().join() !== living.toSorted().join())
    found.views_differ.push(`${shown.length} keys are shown, ${living.length} are in force`);
};

const idsOf = (events: readonly LogEvent[], type: string): readonly string[] =>
  events.filter((event) => event.type === type).map(({ data }) => field(data, 'key_id'));
