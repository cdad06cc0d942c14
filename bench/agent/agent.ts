import { openModelProvider } from '../../tests/support/model-provider.ts';
import type { Bench } from '../bench.ts';
import { chainOfRuns } from './chain.ts';
import { firstEvents } from './first-event.ts';
import { instantModel } from './models.ts';
import { queuedRuns } from './queued-runs.ts';
import { treeOfRuns } from './tree.ts';

/** What keeping each step of an agent run costs, and how soon a client is told of it. */
export const agentBench: Bench = {
  name: 'agent',
  needs: [],
  measure: async function* measure(run) {
    const provider = await openModelProvider();
    run.cleanup.defer(provider.close);
    provider.otherwise = instantModel(provider);
    yield await queuedRuns(run, provider);
    yield await firstEvents(run, provider);
    yield await treeOfRuns(run, provider);
    yield await chainOfRuns(run, provider);
  },
};
