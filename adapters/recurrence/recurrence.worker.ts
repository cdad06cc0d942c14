import { parentPort } from 'node:worker_threads';
import { evaluate } from './evaluate.ts';
import type { Evaluation } from './evaluate.ts';

parentPort?.on('message', (evaluation: Evaluation) => {
  parentPort?.postMessage(evaluate(evaluation));
});
parentPort?.postMessage('ready');
