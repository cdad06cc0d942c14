import type { Found } from './faults.ts';
import { type Log, type LogEvent, categoryOf } from './log.ts';

const JOB_ENDS = ['JobSucceeded', 'JobFailed', 'JobCanceled'];

/** What must hold of every log, whatever was asked for: each event once, and each job queued and ended once. */
export const checkStreams = ({ events, streams, byPosition }: Log, found: Found): void => {
  for (const id of repeated(events.map((event) => event.id)))
    found.doubled.push(`event ${id} is twice in the log`);
  if (byPosition.size < events.length) found.doubled.push('two events have one position');
  const falls = events.findIndex((event, i) => event.position <= (events[i - 1]?.position ?? ''));
  if (falls >= 0) found.unexpected.push(`the log is out of order at ${events[falls]?.position}`);
  const jobs = events.filter(({ type }) => type === 'JobQueued').map(({ data }) => field(data, 'job_id'));
  for (const id of repeated(jobs)) found.doubled.push(`job ${id} is queued twice`);
  for (const [stream, those] of streams) {
    checkRevisions(stream, those, found);
    if (categoryOf(stream) === 'dataSource') checkDataSource(stream, those, found);
  }
};

const checkRevisions = (stream: string, events: readonly LogEvent[], found: Found): void => {
  for (const [i, { revision }] of events.entries()) {
    if (revision === i) continue;
    const fault = revision > i ? found.lost : found.doubled;
    fault.push(`${stream} has revision ${revision} where ${i} should be`);
    return;
  }
};

const checkDataSource = (stream: string, events: readonly LogEvent[], found: Found): void => {
  const first = events.slice(0, 2).map(({ type }) => type);
  if (first.join() !== 'DataSourceRegistered,JobQueued')
    found.lost.push(`${stream} begins with ${first.join()}`);
  if (count(events, 'DataSourceRegistered') > 1) found.doubled.push(`${stream} is registered twice`);
  const due = events.map(({ data }) => field(data, 'due_at')).filter((at) => at !== '');
  for (const at of repeated(due)) found.doubled.push(`${stream} has two ticks for ${at}`);
  for (const job of events.filter(({ type }) => type === 'JobQueued')) checkJob(stream, job, events, found);
  checkDeletion(stream, events, found);
};

const checkJob = (stream: string, job: LogEvent, events: readonly LogEvent[], found: Found): void => {
  const id = field(job.data, 'job_id');
  const ends = events.filter(({ type, data }) => JOB_ENDS.includes(type) && field(data, 'job_id') === id);
  const interrupted = events.some(({ data }) => field(data, 'interrupted_job_id') === id);
  if (ends.length > 1 || (ends.length === 1 && interrupted))
    found.doubled.push(`job ${id} of ${stream} ended by ${ends.map(({ type }) => type).join()}`);
  if (ends.length === 0 && !interrupted) found.stuck.push(`job ${id} of ${stream} has no end`);
  for (const { type, data } of ends) {
    // The site and the database were there all the time: only its workers may have failed a job.
    if (type === 'JobFailed' && field(data, 'code') !== 'worker_lost')
      found.unexpected.push(`job ${id} of ${stream} failed: ${JSON.stringify(data)}`);
  }
};

/** A deletion that was asked for once is done once, and is the last that happens to a data source. */
const checkDeletion = (stream: string, events: readonly LogEvent[], found: Found): void => {
  const [asked, failed, done] = [
    'DataSourceDeletionRequested',
    'DataSourceDeletionFailed',
    'DataSourceDeleted',
  ].map((type) => count(events, type)) as [number, number, number];
  if (asked > failed + 1)
    found.doubled.push(`${stream} is asked ${asked} times to be deleted, and failed ${failed} times`);
  if (failed > 0) found.unexpected.push(`the deletion of ${stream} failed`);
  if (done > 1) found.doubled.push(`${stream} is deleted ${done} times`);
  if (asked > 0 && events.at(-1)?.type !== 'DataSourceDeleted')
    found.stuck.push(`${stream} should be deleted, and ends with ${events.at(-1)?.type}`);
};

export const count = (events: readonly LogEvent[], type: string): number =>
  events.filter((event) => event.type === type).length;

/** A field of the stored event as text; empty where there is none. */
export const field = (data: object, name: string): string => {
  const value = (data as { readonly [name: string]: unknown })[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

const repeated = (values: readonly string[]): readonly string[] =>
  [...Map.groupBy(values, (value) => value)].flatMap(([value, { length }]) => (length > 1 ? [value] : []));
