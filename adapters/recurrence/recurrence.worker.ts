// oxlint-disable unicorn/require-post-message-target-origin -- the rule is about windows, not threads
import { parentPort } from 'node:worker_threads';
import { evaluate } from './evaluate.ts';
import type { Evaluation } from './evaluate.ts';

parentPort?.on('message', (evaluation: Evaluation) => {
  parentPort?.postMessage(evaluate(evaluation));
});
parentPort?.postMessage('ready');
