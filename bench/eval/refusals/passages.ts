import type { Manual } from '../manuals/manuals.ts';
import { type ManualStore, openManualStore } from '../manuals/service.ts';
import { documentsOf } from '../manuals/texts.ts';
import { askingsOf, type Case, casesOf } from './cases.ts';
import { digestOf, kept } from './kept.ts';

/** What decides what a search finds: it looks at sentences too. */
const SEARCH = [
  'adapters/{extraction,postgres,words}/**/*.ts',
  'application/{completion,content,retrieval}/**/*.ts',
  'domain/{answer,chunking,ranking,shared}/**/*.ts',
  'composition/document-reader.ts',
  'package-lock.json',
  'bench/eval/manuals/*.ts',
  'bench/eval/refusals/cases.ts',
];
/** What only decides whether it is an answer. */
const NO_SEARCH = ['evidence', 'is-about', 'mostly-held', 'common-words', 'extractive-answer'].map(
  (name) => `domain/answer/${name}.ts`,
);

export interface AskedOf {
  readonly manual: string;
  readonly cases: readonly Case[];
}

/** What the search finds for all that these manuals are asked. Kept until something changes that it depends on. */
export const askManuals = async (
  manuals: readonly Manual[],
  print: (line: string) => void,
): Promise<readonly AskedOf[]> => {
  await using opened = new AsyncDisposableStack();
  let store: ManualStore | null = null;
  const asked: AskedOf[] = [];
  for (const asking of await askingsOf(manuals)) {
    const { manual } = asking;
    const digest = await digestOf(SEARCH, NO_SEARCH, asking);
    const cases = await kept(`passages-${manual.name}`, digest, async () => {
      store ??= opened.use(await openManualStore());
      const found = await casesOf(asking, await store.add(manual.name, await documentsOf(manual)));
      print(`${manual.name}: asked`);
      return found;
    });
    asked.push({ manual: manual.name, cases });
  }
  return asked;
};
