import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask, type Asked, type Service } from '../ask.ts';
import { drawn, itemsOf, type KnownItem, namesIn, pagesOf, titleOf, withoutShared } from '../manual.ts';
import { missOf } from '../misses.ts';
import { type Question, readQuestions } from '../questions.ts';
import { type Report, reportOf } from '../report.ts';
import type { Manual } from './manuals.ts';
import { folderOf } from './texts.ts';

const QUESTIONS = fileURLToPath(new URL('../questions/', import.meta.url));
const MODE = 'hybrid';

/** The questions of people, those typed in haste behind the others. */
const questionsOf = async (manual: Manual): Promise<readonly Question[]> => {
  const files = [manual.name, `${manual.name}-typed`].map((name) => join(QUESTIONS, `${name}.jsonl`));
  return (await Promise.all(files.filter((file) => existsSync(file)).map(readQuestions))).flat();
};

/** Those in a file of their own, where its markup does not tell them. */
const namesOf = async (manual: Manual, marked: readonly KnownItem[]): Promise<readonly KnownItem[]> => {
  const file = join(QUESTIONS, `${manual.name}.names.jsonl`);
  return existsSync(file) ? readQuestions(file) : marked;
};

/** What came of a manual: of its questions, and of its names and titles where it has any. */
export interface JudgedManual {
  readonly name: string;
  readonly questions: Report;
  readonly names: Report | null;
  readonly titles: Report | null;
  /** What readers would have met where something went wrong. */
  readonly misses: readonly string[];
}

export const judgeManual = async (
  manual: Manual,
  service: Service,
  { known }: { readonly known: boolean },
): Promise<JudgedManual> => {
  const questions = await questionsOf(manual);
  const asked = await askAll(service, questions, true);
  const items = known ? await knownItemsOf(manual, await folderOf(manual)) : { names: [], titles: [] };
  const names = await reportOfItems(service, known ? await namesOf(manual, items.names) : []);
  const titles = await reportOfItems(service, items.titles);
  return {
    name: manual.name,
    questions: reportOf(
      asked.map(({ outcome }) => outcome),
      [MODE],
    ),
    names: names.report,
    titles: titles.report,
    misses: [...missesOf(questions, asked), ...names.misses, ...titles.misses],
  };
};

/** Names and titles of each sort that are drawn. */
const COUNT = 200;
const NEVER = /(?!)/;
const ALL = /^/;

/** Names and titles of a manual, drawn by lot: those that `npm run eval:questions` draws with `--count 200`. */
const knownItemsOf = async ({ pages: read = ALL, names: anchor, titles }: Manual, folder: string) => {
  const named: [string, string][] = [];
  const titled: [string, string][] = [];
  for await (const page of pagesOf(folder)) {
    if (!read.test(page.path)) continue;
    if (anchor !== undefined) for (const name of namesIn(page, anchor)) named.push([name, page.path]);
    if ((titles.pages ?? ALL).test(page.path)) titled.push([titleOf(page, titles.end ?? NEVER), page.path]);
  }
  const bare = withoutShared(titled.map(([title]) => title));
  return {
    names: drawn(itemsOf(named), COUNT, '1'),
    titles: drawn(itemsOf(titled.map(([, path], i) => [bare[i]!, path])), COUNT, '1'),
  };
};

const askAll = async (
  service: Service,
  questions: readonly Question[],
  answers: boolean,
): Promise<readonly Asked[]> => {
  const asked: Asked[] = [];
  for (const question of questions) asked.push(await ask(service, { modes: [MODE], answers }, question));
  return asked;
};

const missesOf = (questions: readonly Question[], asked: readonly Asked[]): readonly string[] =>
  asked.flatMap((one, i) => missOf(questions[i]!, one));

const reportOfItems = async (service: Service, items: readonly KnownItem[]) => {
  if (items.length === 0) return { report: null, misses: [] };
  const questions = items.map((item) => ({ ...item, facts: [], answerable: true }));
  const asked = await askAll(service, questions, false);
  return {
    report: reportOf(
      asked.map(({ outcome }) => outcome),
      [MODE],
    ),
    misses: missesOf(questions, asked),
  };
};
