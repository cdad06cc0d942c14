// oxlint-disable unicorn/require-post-message-target-origin -- the rule is about windows, not threads
import { parentPort } from 'node:worker_threads';
// oxlint-disable-next-line import/default -- a CommonJS module whose types claim otherwise
import rrule from 'rrule';

/** What a thread can be asked to do wrong. */
export type Misbehaviour =
  | { readonly kind: 'echo'; readonly text: string }
  | { readonly kind: 'naive-rule'; readonly rule: string }
  | { readonly kind: 'sleep'; readonly ms: number }
  | { readonly kind: 'exhaust-heap' }
  | { readonly kind: 'throw' }
  | { readonly kind: 'exit' };

function exhaustHeap(): never {
  const kept: number[][] = [];
  for (;;) kept.push(Array.from<number>({ length: 1_000_000 }).fill(kept.length + 0.5));
}

function act(question: Misbehaviour): string {
  switch (question.kind) {
    case 'echo':
      return question.text;
    case 'naive-rule': {
      const dtstart = new Date(Date.UTC(2026, 0, 1));
      const rule = new rrule.RRule({ ...rrule.RRule.parseString(question.rule), dtstart });
      return String(rule.after(dtstart));
    }
    case 'sleep':
      return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, question.ms);
    case 'exhaust-heap':
      return exhaustHeap();
    case 'throw':
      throw new RangeError('no such question');
    case 'exit':
      return process.exit(0);
  }
}

parentPort?.on('message', (question: Misbehaviour) => parentPort?.postMessage(act(question)));
parentPort?.postMessage('ready');
