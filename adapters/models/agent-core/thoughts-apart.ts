import type { RuntimeReport } from '../../../application/ports/agent-runtime.ts';
import type { ModelText } from '../language-model/provider/surrogate-joiner.ts';
import { createThoughtSplitter } from '../language-model/provider/thoughts.ts';

/** The reports, with the thoughts with which a message begins (`<think>` and its like) told apart from its text. */
export async function* thoughtsApart(reports: AsyncIterable<RuntimeReport>): AsyncGenerator<RuntimeReport> {
  let splitter = createThoughtSplitter('answer');
  for await (const report of reports) {
    if (report.kind === 'text') {
      yield* reportsOf(splitter.add(report.delta));
      continue;
    }
    if (report.kind !== 'alive' && report.kind !== 'reasoning') {
      yield* reportsOf(splitter.end('stop'));
      splitter = createThoughtSplitter('answer');
    }
    yield report;
  }
  yield* reportsOf(splitter.end('stop'));
}

const reportsOf = (texts: readonly ModelText[]): readonly RuntimeReport[] =>
  texts.map(({ kind, text: delta }) => ({ kind: kind === 'delta' ? 'text' : kind, delta }));
