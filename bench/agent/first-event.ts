import { setTimeout as sleep } from 'node:timers/promises';
import { runThatIs, started } from '../../tests/support/agents.ts';
import { follow } from '../../tests/support/event-stream.ts';
import type { ModelProvider } from '../../tests/support/model-provider.ts';
import { type Service, startService } from '../../tests/support/service.ts';
import type { Result, Run } from '../bench.ts';
import { median, percentile } from '../measuring/side-by-side.ts';
import { talkativeModel } from './models.ts';

const TARGET_MS = 50;

/** From the request for a run until its client is told the model's first words, beside a request to the model itself. */
export const firstEvents = async (run: Run, provider: ModelProvider): Promise<Result> => {
  const service = await startAll(run, provider);
  const before = provider.otherwise;
  provider.otherwise = talkativeModel(20, 20);
  const pairs: (FirstWords & { readonly rival: number })[] = [];
  const measure = async (times: number): Promise<void> => {
    for (let nth = 0; nth < times; nth++) {
      const rival = await ofModel(provider);
      pairs.push({ ...(await ofRun(service, nth)), rival });
      // A worker that looks by the clock is to be met at any moment.
      await sleep(Math.random() * 600);
    }
  };
  await measure(run.quick ? 2 : 5);
  pairs.length = 0;
  await run.profiling.profiledIn(service, () => measure(run.quick ? 3 : 60));
  provider.otherwise = before;
  const more = pairs.map(({ words, rival }) => words - rival);
  return {
    bench: 'agent first event',
    ratio: median(more) / TARGET_MS,
    ours: median(more),
    rival: TARGET_MS,
    measured: 'over HTTP',
    unit: "ms until the model's first words, beyond its own, median",
    target: `< ${TARGET_MS} ms`,
    met: median(more) < TARGET_MS,
    p90_ms: Math.round(percentile(more, 0.9)),
    until_accepted_ms: Math.round(median(pairs.map(({ accepted }) => accepted))),
    until_worker_ms: Math.round(median(pairs.map(({ worker }) => worker))),
    model_alone_ms: Math.round(median(pairs.map(({ rival }) => rival))),
    runs: pairs.length,
    rival_is: 'the target',
  };
};

export const startAll = async ({ cleanup, profiling }: Run, provider: ModelProvider): Promise<Service> => {
  const service = await startService({
    KNOWLEDGER_LOG_LEVEL: 'warn',
    LLM_URL: provider.baseUrl,
    LLM_MODEL: 'stand-in',
    ...profiling.env,
  });
  cleanup.defer(() => service.dispose());
  return service;
};

/** Milliseconds since the request. */
interface FirstWords {
  readonly accepted: number;
  /** Until a worker had begun. */
  readonly worker: number;
  readonly words: number;
}

const ofRun = async (service: Service, nth: number): Promise<FirstWords> => {
  const begun = performance.now();
  const { run_id: runId } = await started(service, `Question ${nth}?`);
  const accepted = performance.now() - begun;
  let worker = Number.NaN;
  await follow(service, `/agent/runs/${runId}/events`, ({ data }) => {
    if (data.type === 'CUSTOM' && data.name === 'run_started') worker = performance.now() - begun;
    return data.type === 'TEXT_MESSAGE_CONTENT';
  });
  const words = performance.now() - begun;
  await runThatIs(service, runId);
  return { accepted, worker, words };
};

const ofModel = async ({ baseUrl }: ModelProvider): Promise<number> => {
  const begun = performance.now();
  const body = JSON.stringify({ model: 'stand-in', stream: true, messages: [] });
  const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body });
  const reader = response.body!.getReader();
  await reader.read();
  const ms = performance.now() - begun;
  await reader.cancel();
  return ms;
};
