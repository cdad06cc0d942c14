import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, startService } from '../../tests/support/service.ts';
import type { Bench, Run } from '../bench.ts';
import { startChild } from '../measuring/child.ts';
import { median, sideBySide } from '../measuring/side-by-side.ts';
import { processorTimeOfTree } from '../measuring/processor-time.ts';
import { type Form, lengthOf, sendForm } from './form.ts';

const TARGET = 0.7;
const MAX_MEMORY_MB = 150;
const FORM: Form = { files: 2_000, bytes: 260_000 };
const QUICK: Form = { files: 20, bytes: 10_000 };

/** A form of 500 MB in 2,000 files until it is answered, beside a server that writes its files to disk and no more. */
export const uploadBench: Bench = {
  name: 'upload',
  needs: [],
  measure: async function* measure(run) {
    const form = run.quick ? QUICK : FORM;
    const megabytes = lengthOf(form) / 1_000_000;
    const memory: number[] = [];
    const spent = { ours: [] as number[], rival: [] as number[], limit: [] as number[] };
    const limits: number[] = [];
    const ours = async (): Promise<number> => {
      const { ms, grown, seconds } = await sendToProgram(form, run);
      memory.push(grown);
      spent.ours.push(seconds);
      return (1_000 * megabytes) / ms;
    };
    const bare = async (name: 'rival' | 'limit'): Promise<number> => {
      const { ms, seconds } = await sendToBare(form, run, name === 'limit');
      spent[name].push(seconds);
      return (1_000 * megabytes) / ms;
    };
    const rival = async (): Promise<number> => {
      const rate = await bare('rival');
      limits.push(await bare('limit'));
      return rate;
    };
    const measured = await sideBySide(run.quick ? 1 : 3, ours, rival);
    const most = Math.round(Math.max(...memory));
    yield {
      bench: 'upload',
      ...measured,
      measured: 'over HTTP',
      unit: 'MB/s',
      target: `>= ${TARGET}, and under ${MAX_MEMORY_MB} MB of memory above idle`,
      met: measured.ratio >= TARGET && most < MAX_MEMORY_MB,
      megabytes: Math.round(megabytes),
      files: form.files,
      rival_is: 'busboy 1.6.0 to disk: no hash, no sync to the disk, no record',
      memory_above_idle_mb: most,
      limit: tenths(median(limits)),
      limit_is: 'the same server, which waits for the disk to have each file',
      processor_seconds: tenths(median(spent.ours)),
      rival_processor_seconds: tenths(median(spent.rival)),
      limit_processor_seconds: tenths(median(spent.limit)),
    };
  },
};

const sendToProgram = async (form: Form, { cleanup, profiling }: Run) => {
  const service = await startService({
    KNOWLEDGER_LOG_LEVEL: 'warn',

    ...profiling.env,
  });
  cleanup.defer(() => service.dispose());
  try {
    const idle = await memoryOf(service, 'VmRSS');
    await forgetPeak(service);
    const meter = meterOf(service.child.pid!);
    const { ms } = await profiling.profiledIn(service, () =>
      sendForm(`${service.base}/api/v1/local-file-groups`, form, { 'x-api-key': service.key }),
    );
    return { ms, seconds: meter(), grown: (await memoryOf(service, 'VmHWM')) - idle };
  } finally {
    await service.end('SIGTERM');
  }
};

const sendToBare = async (form: Form, { cleanup }: Run, flush: boolean) => {
  const folder = await mkdtemp(join(tmpdir(), 'knowledger-bench-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const child = startChild('upload/bare-server.mjs', [folder, ...(flush ? ['flush'] : [])]);
  cleanup.defer(child.stop);
  try {
    const { port } = (await child.ask()) as { readonly port: number };
    const meter = meterOf(child.pid);
    const { ms } = await sendForm(`http://127.0.0.1:${port}/`, form);
    return { ms, seconds: meter() };
  } finally {
    await child.stop();
  }
};

/** Answers the seconds of processor time that a process and those below it have used since. */
const meterOf = (pid: number): (() => number) => {
  const now = (): number => processorTimeOfTree(pid) ?? Number.NaN;
  const before = now();
  return () => now() - before;
};

const tenths = (value: number): number => Math.round(value * 10) / 10;

/** In megabytes; NaN where the system does not tell. */
const memoryOf = async ({ child }: Service, field: 'VmRSS' | 'VmHWM'): Promise<number> => {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? Number.NaN) / 1_024;
};

const forgetPeak = async ({ child }: Service): Promise<void> => {
  await writeFile(`/proc/${child.pid}/clear_refs`, '5').catch(() => {});
};
