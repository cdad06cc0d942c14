import { styleText } from 'node:util';
import { redactForAudit } from '../../application/audit/operations.ts';
import { streamChanges, streamsOfRecord } from '../../application/history/stream-changes.ts';
import { readMetadata } from '../../application/event-sourcing/event-codec.ts';
import type { RecordedEvent } from '../../application/ports/event-store.ts';
import type { JsonChange } from '../../domain/shared/json-changes.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/environment.ts';
import { openContainer } from '../container.ts';
import { openDatabasesBeside } from '../databases.ts';
import { AUDIT } from '../modules/audit.ts';
import { CORE } from '../modules/core.ts';
import { REDACTION } from '../modules/redaction.ts';
import { HELP, parsedArguments } from './arguments.ts';

/** Prints each event of a record or a stream, with what it changed. @throws Error when there is none, or ConfigError */
export const showStream = async (config: Config, args: readonly string[]): Promise<void> => {
  const { positionals } = parsedArguments(args, {});
  const [verb, named, ...more] = positionals;
  if (verb !== 'show' || named === undefined || more.length > 0) throw new ConfigError(HELP.stream);
  const databases = await openDatabasesBeside(config, (line) => console.error(line));
  const container = await openContainer(config, databases);
  try {
    const { store, codec } = container.get(CORE);
    const { redactTextFor } = container.get(REDACTION);
    const redact = async (event: RecordedEvent): Promise<RecordedEvent> =>
      redactForAudit(event, await redactTextFor(readMetadata(event.metadata).tenant));
    const tenants = await container.get(AUDIT).proving.tree.tenants();
    const streams = await streamsOfRecord({ store }, named, tenants);
    if (streams.length === 0) throw new Error(`there is no stream, and no record, of the name ${named}`);
    for (const stream of streams) {
      console.log(styleText('bold', stream));
      for await (const { event, changes } of streamChanges({ store, codec, redact }, stream, named)) {
        const { actor } = readMetadata(event.metadata);
        const time = new Date(event.recordedAt).toISOString();
        const who = `${actor.kind} ${actor.id}`;
        const what = changes.map(changeText).join('  ');
        console.log(
          `${String(event.revision).padStart(5)}  ${styleText('dim', time)}  ${styleText('cyan', who)}  ${styleText('bold', event.type)}  ${what}`,
        );
      }
    }
  } finally {
    await container.unbindAllAsync();
  }
};

/** `status: "queued" → "started"`; an absent side is left out. */
const changeText = ({ path, ...change }: JsonChange): string => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const before = 'before' in change ? styleText('red', `-${valueText(name, change.before)}`) : '';
  const after = 'after' in change ? styleText('green', `+${valueText(name, change.after)}`) : '';
  return `${path.slice(1)}: ${[before, after].filter((side) => side !== '').join(' ')}`;
};

const MAX = 100;

/** Milliseconds since 1970, in events and rows: of `expires_at`, or the start of a schedule. */
const TIME = /(^|_)(at|since|until|before)$|^start$/;

const valueText = (name: string, value: unknown): string => {
  const text = JSON.stringify(value, (inner, part: unknown) => {
    if (typeof part === 'bigint') return Number(part);
    return typeof part === 'number' && TIME.test(inner || name) ? new Date(part).toISOString() : part;
  });
  return text.length > MAX ? `${text.slice(0, MAX)}…` : text;
};
