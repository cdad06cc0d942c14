import { verifyFiles } from '../weights/manifest.ts';
import { type Graph, loadGraph } from './graph.ts';
import type { FromModel, ModelSettings, ToModel } from './messages.ts';
import { createPace, createQueue } from './queue.ts';

/** Entry point of a model process: computes requests until its parent exits. */

const { model, threads, disableNetwork } = JSON.parse(process.argv[2]!) as ModelSettings;

process.on('disconnect', () => process.exit(0));
// A terminal sends these signals to the whole process group. They are ignored, because the parent decides when this
// process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
((await import(disableNetwork)) as { readonly disableNetwork: () => void }).disableNetwork();

const send = (message: FromModel): Promise<void> =>
  new Promise((resolve) => {
    process.send!(message, () => resolve());
  });
/** Lets messages in: a run of the graph blocks this thread. */
const yieldToMessages = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const load = async (): Promise<Graph> => {
  try {
    await verifyFiles(model);
    return await loadGraph(model, threads);
  } catch (error) {
    await send({ type: 'unusable', message: (error as Error).message });
    process.exit(1);
  }
};

const turns = createQueue();
const pace = createPace();
/** Partial results of requests in progress. */
const done = new Map<number, (Float32Array | undefined)[]>();
const early: ToModel[] = [];
let graph: Graph | null = null;
let computing = false;

const refuse = (id: number, error: unknown): void => {
  turns.drop(id);
  done.delete(id);
  void send({ type: 'refused', id, message: (error as Error).message });
};

const computeAll = async (loaded: Graph): Promise<void> => {
  if (computing) return;
  computing = true;
  for (let batch = turns.take(pace.tokens()); batch !== null; batch = turns.take(pace.tokens())) {
    const { request, places } = batch;
    const tokens = places.map((place) => request.tokens[place]!);
    const began = performance.now();
    try {
      const rows = await loaded.run(tokens);
      pace.took(tokens.length * tokens[0]!.ids.length, performance.now() - began);
      const all = done.get(request.id);
      for (const [at, place] of places.entries()) if (all !== undefined) all[place] = rows[at];
      if (all?.every((row) => row !== undefined) === true) {
        done.delete(request.id);
        void send({ type: 'computed', id: request.id, rows: all });
      }
    } catch (error) {
      refuse(request.id, error);
    }
    await yieldToMessages();
  }
  computing = false;
};

const take = (loaded: Graph, message: ToModel): void => {
  switch (message.type) {
    case 'compute': {
      const { id, inputs } = message;
      try {
        const tokens = loaded.encode(inputs.texts, inputs.question);
        done.set(
          id,
          tokens.map(() => undefined),
        );
        turns.add({ id, urgent: inputs.urgent, tokens });
        void computeAll(loaded);
      } catch (error) {
        refuse(id, error);
      }
      break;
    }
    case 'drop':
      turns.drop(message.id);
      done.delete(message.id);
      break;
  }
};

process.on('message', (message: ToModel) => {
  if (graph === null) early.push(message);
  else take(graph, message);
});

graph = await load();
await send({ type: 'ready' });
for (const message of early.splice(0)) take(graph, message);
