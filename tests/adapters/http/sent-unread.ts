import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Connects, sends one request on each connection, tells that, and answers the status lines in the end. */
const SENDER = `
  const { connect } = require('node:net');
  const { workerData: { port, request, count, sent }, parentPort } = require('node:worker_threads');
  const flag = new Int32Array(sent);
  let left = count;
  const written = () => {
    if (--left > 0) return;
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
  Promise.all(Array.from({ length: count }, () => new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request, written));
    socket.on('data', (bytes) => { answer += bytes; });
    socket.on('error', ({ code }) => resolve(code));
    socket.on('close', () => resolve(answer.split('\\r\\n')[0]));
  }))).then((answers) => parentPort.postMessage(answers));
`;

/**
 * Has `count` requests sent by another thread while this one stands still, so that its server can neither take a
 * connection nor read. Answers what comes of them: status lines, or codes of errors.
 */
export const sendWhileStanding = (url: string, request: string, count: number): Promise<string[]> => {
  const sent = new SharedArrayBuffer(4);
  const sender = new Worker(SENDER, {
    eval: true,
    workerData: { port: Number(new URL(url).port), request, count, sent },
  });
  const answers = once(sender, 'message').then(([answered]) => answered as string[]);
  Atomics.wait(new Int32Array(sent), 0, 0, 30_000);
  return answers;
};
