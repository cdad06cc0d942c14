import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

export interface JudgedDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}
export interface JudgedQuery {
  readonly id: string;
  readonly text: string;
}
/** A test collection; queries without a relevant document are left out, as trec_eval does. */
export interface Collection {
  readonly name: string;
  readonly documents: readonly JudgedDocument[];
  readonly queries: readonly JudgedQuery[];
  /** Ids of the relevant documents by query. Binary: whatever is judged above 0. */
  readonly relevant: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Reads TREC XML (`<doc>`, `<top>`, qrels of four columns) or SMART (`.I .T .W .A`, qrels of query and document). */
export const readCollection = async (folder: string): Promise<Collection> => {
  const names = await readdir(folder);
  const read = async (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  const find = (pattern: RegExp): string => {
    const found = names.find((name) => pattern.test(name));
    if (found === undefined) throw new Error(`${folder} has no file like ${pattern.source}`);
    return found;
  };
  const isTrec = names.some((name) => name.endsWith('.xml'));
  const judgements = await read(find(/qrel/i));
  const parts = isTrec
    ? {
        documents: trecDocuments(await read(find(/\.all.*\.xml$/i))),
        queries: trecQueries(await read(find(/(qry|quer|topic).*\.xml$/i))),
        relevant: relevantOf(judgements, ([query, , document, grade]) => [query, document, Number(grade)]),
      }
    : {
        documents: smartDocuments(await read(find(/\.all$/i))),
        queries: smartQueries(await read(find(/^(query|.*\.qry)/i))),
        relevant: relevantOf(judgements, ([query, document]) => [number(query), number(document), 1]),
      };
  const queries = matchIds(parts.queries, parts.relevant).filter(({ id }) => parts.relevant.has(id));
  return { ...parts, queries, name: basename(folder) };
};

/** Some collections judge queries by their place in the file instead of by their number. */
const matchIds = (
  queries: readonly JudgedQuery[],
  relevant: ReadonlyMap<string, unknown>,
): readonly JudgedQuery[] => {
  const ids = new Set(queries.map(({ id }) => id));
  if ([...relevant.keys()].every((id) => ids.has(id))) return queries;
  return queries.map((query, i) => ({ ...query, id: String(i + 1) }));
};

const trecDocuments = (xml: string): readonly JudgedDocument[] =>
  blocks(xml, 'doc').map((doc) => ({
    id: element(doc, 'docno'),
    title: element(doc, 'title'),
    text: element(doc, 'text'),
  }));

const trecQueries = (xml: string): readonly JudgedQuery[] =>
  blocks(xml, 'top').map((top) => ({ id: element(top, 'num'), text: element(top, 'title') }));

const blocks = (xml: string, tag: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'gi'))].map(([, body]) => body ?? '');

const element = (xml: string, tag: string): string => (blocks(xml, tag)[0] ?? '').trim();

const smartDocuments = (text: string): readonly JudgedDocument[] =>
  smartRecords(text).map(({ id, fields }) => ({
    id,
    title: fields.get('T') ?? '',
    text: `${fields.get('W') ?? ''}\n${fields.get('A') ?? ''}`.trim(),
  }));

const smartQueries = (text: string): readonly JudgedQuery[] =>
  smartRecords(text).map(({ id, fields }) => ({
    id,
    text: `${fields.get('W') ?? ''}\n${fields.get('A') ?? ''}`.trim(),
  }));

const smartRecords = (text: string) =>
  text
    .split(/^\.I\s+/m)
    .slice(1)
    .map((record) => {
      const [id = '', ...parts] = record.split(/^\.([A-Z])[ \t]*\r?$/m);
      const fields = new Map<string, string>();
      for (let i = 0; i + 1 < parts.length; i += 2) {
        const name = parts[i] ?? '';
        fields.set(name, `${fields.get(name) ?? ''}${parts[i + 1] ?? ''}`.trim());
      }
      return { id: number(id.trim()), fields };
    });

const number = (text: string | undefined): string => String(Number(text));

const relevantOf = (
  text: string,
  judgement: (columns: readonly string[]) => readonly [string | undefined, string | undefined, number],
): ReadonlyMap<string, ReadonlySet<string>> => {
  const relevant = new Map<string, Set<string>>();
  for (const line of text.split('\n')) {
    const [query, document, grade] = judgement(line.trim().split(/\s+/));
    if (query === undefined || document === undefined || line.trim() === '' || !(grade > 0)) continue;
    relevant.set(query, (relevant.get(query) ?? new Set()).add(document));
  }
  return relevant;
};
