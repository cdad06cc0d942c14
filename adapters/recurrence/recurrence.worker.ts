import { parentPort } from 'node:worker_threads';
import { type Evaluation, evaluate } from './evaluate.ts';

parentPort?.on('message', (evaluation: Evaluation) => {
  parentPort?.postMessage(evaluate(evaluation));
});
parentPort?.postMessage('ready');
