import { rm } from 'node:fs/promises';
import type { Result, Run } from '../bench.ts';
import { startChild } from '../measuring/child.ts';
import type { GeneratedLog } from './generated-log.ts';
import { compared, type Measured } from './rates.ts';
import type { World } from './world.ts';

const AIM = { ratio: 0.6, megabytes: 300 };

interface Exported {
  readonly events: number;
  readonly seconds: number;
  readonly processorSeconds: number;
  /** Of the process, at most. */
  readonly megabytes: number;
  readonly path: string;
}

/** Exports to Parquet beside those to NDJSON, and the memory of both. */
export async function* exports(
  { quick, cleanup }: Run,
  { address }: World,
  { events }: GeneratedLog,
): AsyncGenerator<Result> {
  const most = new Map<string, number>();
  const exported = (format: string) => async (): Promise<Measured> => {
    // A process for each: its memory is part of what is measured.
    const child = startChild('replay/export-process.ts');
    cleanup.defer(child.stop);
    const found = (await child.ask({ address, format })) as Exported;
    await child.stop();
    await rm(found.path, { recursive: true, force: true });
    if (found.events !== events) throw new Error(`${found.events} events were exported instead of ${events}`);
    most.set(format, Math.max(most.get(format) ?? 0, found.megabytes));
    return {
      perSecond: found.events / found.seconds,
      microseconds: (1e6 * found.processorSeconds) / found.events,
    };
  };
  const found = await compared(quick ? 1 : 5, exported('parquet'), exported('ndjson'));
  const megabytes = Object.fromEntries([...most].map(([format, of]) => [format, Math.round(of)]));
  yield {
    bench: 'replay, export to Parquet',
    ...found,
    measured: 'in process',
    unit: 'events/s',
    target: `>= ${AIM.ratio}, and less than ${AIM.megabytes} MB`,
    met: found.ratio >= AIM.ratio && (most.get('parquet') ?? Infinity) < AIM.megabytes,
    megabytes,
    rival_is: 'the same export to NDJSON',
  };
}
