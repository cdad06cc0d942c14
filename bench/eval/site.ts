import { readFile, rename, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ask, type Asked, type Asking } from './ask.ts';
import { missOf } from './misses.ts';
import { AskError, overHttp, type Running } from './over-http.ts';
import { readQuestions } from './questions.ts';
import { changesOf, type Report, reportOf, tableOf } from './report.ts';

const MODES = ['keyword', 'hybrid', 'vector'];

/**
 * Asks a running service the questions of a file, prints the figures, and keeps them beside the file for the next run
 * to compare with.
 *
 * @throws QuestionFileError, AskError: nothing is printed or kept then
 */
export const judgeSite = async (
  args: readonly string[],
  env: { readonly [name: string]: string | undefined },
  print: (line: string) => void,
): Promise<void> => {
  const { file, service, asking, json, misses, keep } = settingsOf(args, env);
  const questions = await readQuestions(file);
  const last = await lastRun(keep);
  const asked: Asked[] = [];
  // One by one: the service is measured as one client meets it.
  for (const question of questions) asked.push(await ask(overHttp(service), asking, question));
  const report = reportOf(
    asked.map(({ outcome }) => outcome),
    asking.modes,
  );
  const changes = changesOf(report, last);
  if (!json) print(tableOf(report, last));
  if (!json && last !== null)
    print(['', ...(changes.length > 0 ? changes : ['no question changed']), ''].join('\n'));
  if (misses) for (const line of asked.flatMap((one, i) => missOf(questions[i]!, one))) print(line);
  print(JSON.stringify({ ...report, changes }));
  await writeFile(`${keep}.new`, JSON.stringify(report));
  await rename(`${keep}.new`, keep);
};

interface Settings {
  readonly file: string;
  readonly service: Running;
  readonly asking: Asking;
  readonly json: boolean;
  /** Whether to show what came where a question went wrong. */
  readonly misses: boolean;
  /** Where the figures are kept. */
  readonly keep: string;
}

const settingsOf = (
  args: readonly string[],
  env: { readonly [name: string]: string | undefined },
): Settings => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      url: { type: 'string', default: env['KNOWLEDGER_URL'] ?? 'http://127.0.0.1:3000' },
      modes: { type: 'string', default: 'keyword,hybrid' },
      group: { type: 'string', multiple: true, default: [] },
      'search-only': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      misses: { type: 'boolean', default: false },
    },
  });
  const [file = ''] = positionals;
  const key = env['KNOWLEDGER_API_KEY'] ?? '';
  if (key === '')
    throw new AskError('KNOWLEDGER_API_KEY is not set: give the key that may search and answer');
  const modes = values.modes.split(',');
  const unknown = modes.find((mode) => !MODES.includes(mode));
  if (unknown !== undefined) throw new AskError(`--modes: ${unknown} is none of ${MODES.join(', ')}`);
  return {
    file,
    service: { url: values.url, key, groups: values.group },
    asking: { modes, answers: !values['search-only'] },
    json: values.json,
    misses: values.misses && !values.json,
    keep: `${file}.last-run.json`,
  };
};

/** Null where there is none, or none that this version wrote. */
const lastRun = async (path: string): Promise<Report | null> => {
  try {
    const report = JSON.parse(await readFile(path, 'utf8')) as Partial<Report>;
    return Array.isArray(report.outcomes) && report.modes !== undefined ? (report as Report) : null;
  } catch {
    return null;
  }
};
