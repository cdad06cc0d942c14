import { count, field } from './check-streams.ts';
import { type CommandName, isAcknowledged, type Sent } from './commands.ts';
import type { Found } from './faults.ts';
import type { Log, LogEvent } from './log.ts';
import { told } from './send.ts';

/** The events by which a command is known in the log. */
const LEAVES: { readonly [name in CommandName]: readonly string[] } = {
  createCrawl: ['IdempotencyKeyClaimed', 'IngestionSettingCreated', 'DataSourceRegistered', 'JobQueued'],
  sync: ['JobQueued'],
  cancel: ['JobCancelRequested', 'JobCanceled'],
  deleteCrawl: ['DataSourceDeletionRequested'],
  changeSetting: ['IngestionSettingRenamed', 'ScheduleSet', 'ScheduleRemoved'],
  replaceMetadata: ['SourceMetadataReplaced'],
  deleteMetadata: ['SourceMetadataDeleted'],
  issueKey: ['IdempotencyKeyClaimed', 'ApiKeyIssued'],
  revokeKey: ['ApiKeyRevoked'],
};

/** Every command that was acknowledged is in the log, and nothing is there twice of any. */
export const checkCommands = (sent: readonly Sent[], log: Log, found: Found): void => {
  for (const one of sent) checkCommand(one, log, found);
};

const checkCommand = (sent: Sent, log: Log, found: Found): void => {
  const { command, tries, answer } = sent;
  const left = tries.map(({ traceId }) => log.byTrace.get(traceId) ?? []);
  const all = left.flat();
  const what = `${told(command)}, trace ${tries.map(({ traceId }) => traceId).join(', ')}`;
  for (const type of LEAVES[command.name]) {
    // With a key all tries are one request; without, each may do it once.
    const each = command.idempotencyKey === undefined ? left : [all];
    if (!ofKey(type) && each.some((events) => count(events, type) > 1))
      found.doubled.push(`${what}: ${type} more than once`);
  }
  const keyed = command.idempotencyKey !== undefined;
  const foreign = all.find(({ type }) => !LEAVES[command.name].includes(type) && !(keyed && ofKey(type)));
  if (foreign !== undefined) found.unexpected.push(`${what} led to ${foreign.type} in ${foreign.stream}`);
  if (answer === null || !isAcknowledged(sent)) return;
  const missing = missingOf(sent, all, left.at(-1) ?? [], log);
  if (missing !== null) found.lost.push(`${what}, answered ${answer.status}: ${missing}`);
  checkPosition(sent, what, left.at(-1) ?? [], log, found);
};

/** Each try with a key claims it, and says how it ended. */
const ofKey = (type: string): boolean => type.startsWith('IdempotencyKey');

/** What an acknowledged command should have left and did not; null when all is there. */
const missingOf = (
  { command, answer }: Sent,
  all: readonly LogEvent[],
  last: readonly LogEvent[],
  log: Log,
): string | null => {
  const has = (type: string, events = all): string | null => (count(events, type) > 0 ? null : `no ${type}`);
  const history = log.streams.get(command.stream ?? '') ?? [];
  const { status, body } = answer ?? {};
  switch (command.name) {
    case 'createCrawl':
      return LEAVES.createCrawl.find((type) => count(all, type) === 0) ?? registered(body.id, log);
    case 'sync':
      // 200: a job was under way, and nothing was to do.
      return status === 202
        ? has('JobQueued', last)
        : last.length > 0
          ? 'a job, which it does not say'
          : null;
    case 'cancel': {
      const asked = status === 200 || last.length > 0 || count(history, 'JobCancelRequested') > 0;
      return asked ? null : 'no cancellation';
    }
    case 'deleteCrawl':
      return has('DataSourceDeletionRequested', history);
    case 'changeSetting':
      return has('IngestionSettingRenamed');
    case 'replaceMetadata':
      return has('SourceMetadataReplaced');
    case 'deleteMetadata':
      // That there was nothing to delete is seen at the position of the answer.
      return null;
    case 'issueKey':
      return all.some(({ type, data }) => type === 'ApiKeyIssued' && field(data, 'key_id') === body.id)
        ? null
        : 'no ApiKeyIssued with its id';
    case 'revokeKey':
      return has('ApiKeyRevoked');
  }
};

const registered = (id: string, log: Log): string | null =>
  log.streams.get(`dataSource-${id}`)?.[0]?.type === 'DataSourceRegistered' ? null : 'no stream of its id';

/**
 * `x-position` names the newest event of the append that wrote what was asked: its own, or one of a command that was
 * written with it. The answer must be true behind its own events, or, where it wrote none, at that position.
 */
const checkPosition = (
  { command, answer }: Sent,
  what: string,
  own: readonly LogEvent[],
  log: Log,
  found: Found,
): void => {
  const event = log.byPosition.get(answer?.position ?? '');
  if (event === undefined) {
    found.lost.push(`${what}: nothing in the log at its position ${answer?.position}`);
    return;
  }
  if (command.stream !== undefined && event.stream !== command.stream)
    found.unexpected.push(`${what}: its position is in ${event.stream}`);
  const last = own.findLast(({ stream }) => stream === event.stream) ?? event;
  if (last.revision > event.revision) found.lost.push(`${what}: its position is before what it wrote`);
  const until = (log.streams.get(event.stream) ?? []).slice(0, last.revision + 1);
  if (command.name === 'deleteMetadata' && metadataOf(until) !== '[]')
    found.lost.push(`${what}: the metadata is still there`);
  if (command.name === 'replaceMetadata' && metadataOf(until) !== JSON.stringify(asked(command.body)))
    found.lost.push(`${what}: other metadata is there`);
};

const asked = (body: object | undefined): unknown =>
  body === undefined ? undefined : Reflect.get(body, 'records');

/** The metadata in force after these events of a source, as JSON. */
export const metadataOf = (events: readonly LogEvent[]): string => {
  const last = events.findLast(({ type }) => CHANGES_METADATA.has(type));
  return JSON.stringify(last?.type === 'SourceMetadataReplaced' ? asked(last.data) : []);
};

const CHANGES_METADATA = new Set(['SourceMetadataReplaced', 'SourceMetadataDeleted', 'SourceRemoved']);
