import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { EMBEDDINGS_OPTIONS, embedderNamed } from '../embeddings.ts';
import { OPENSEARCH_OPTION } from '../outside-engine.ts';
import { changesOf } from '../report.ts';
import { EvalUsageError } from '../questions.ts';
import { type JudgedManual, judgeManual } from './judge-manual.ts';
import { type Manual, MANUALS } from './manuals.ts';
import { openManualStore } from './service.ts';
import { tableOfManuals } from './table.ts';
import { documentsOf } from './texts.ts';

const FOLDER = fileURLToPath(new URL('../../data/manuals/', import.meta.url));
/** Where what came of a run is kept: of each model and engine by itself. */
const keptIn = (...parts: readonly (string | undefined)[]): string => {
  const ways = parts.flatMap((part) => (part === undefined ? [] : [`-${part.replaceAll(/[^\w.-]+/g, '-')}`]));
  return join(FOLDER, `last-run${ways.join('')}.json`);
};

/** Judges manuals one after the other, and prints a table, what changed since they were judged last, and a line of JSON. */
export const runManuals = async (args: readonly string[], print: (line: string) => void): Promise<void> => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      misses: { type: 'boolean', default: false },
      'no-known': { type: 'boolean', default: false },
      ...EMBEDDINGS_OPTIONS,
      ...OPENSEARCH_OPTION,
    },
  });
  const manuals = chosen(positionals);
  await using named = embedderNamed(values);
  const kept = keptIn(named.embedder?.model, values.opensearch && 'opensearch');
  const last = await lastRun(kept);
  const judged: JudgedManual[] = [];
  {
    await using store = await openManualStore(named.embedder, values.opensearch);
    for (const manual of manuals) {
      const service = await store.add(manual.name, await documentsOf(manual));
      judged.push(await judgeManual(manual, service, { known: !values['no-known'] }));
      print(`${manual.name}: done`);
    }
  }
  print(tableOfManuals(judged, last));
  for (const one of judged) {
    const before = last.find(({ name }) => name === one.name);
    const changes = before === undefined ? [] : changesOf(one.questions, before.questions);
    for (const change of changes) print(`${one.name}: ${change}`);
    if (values.misses) for (const line of one.misses) print(line);
  }
  const names = new Set(judged.map(({ name }) => name));
  await writeFile(kept, JSON.stringify([...last.filter(({ name }) => !names.has(name)), ...judged]));
};

const chosen = (names: readonly string[]): readonly Manual[] => {
  const unknown = names.find((name) => MANUALS.every((manual) => manual.name !== name));
  if (unknown !== undefined)
    throw new EvalUsageError(
      `${unknown} is no manual; there are ${MANUALS.map(({ name }) => name).join(', ')}`,
    );
  return names.length === 0 ? MANUALS : MANUALS.filter(({ name }) => names.includes(name));
};

const lastRun = async (kept: string): Promise<readonly JudgedManual[]> => {
  try {
    return JSON.parse(await readFile(kept, 'utf8')) as JudgedManual[];
  } catch {
    return [];
  }
};
