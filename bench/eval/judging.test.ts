import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json as readJson } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holds, placeOf } from './judge.ts';
import { parseQuestions, readQuestions } from './questions.ts';
import { judgeSite } from './site.ts';

const parse = (...lines: readonly unknown[]) =>
  parseQuestions(
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    'my.jsonl',
  );
const GOOD = { question: 'How large?', urls: ['/size'], facts: ['1 GB', ['one', '1']] };

describe('a file of questions', () => {
  it('has one question a line, with blank lines between', () => {
    expect(parse('\uFEFF', GOOD, ' ', { question: ' Who? ', answerable: false })).toEqual([
      { question: 'How large?', urls: ['/size'], facts: [['1 GB'], ['one', '1']], answerable: true },
      { question: 'Who?', urls: [], facts: [], answerable: false },
    ]);
  });

  it.each([
    ['{"question": ', /^my\.jsonl, line 2: is not JSON .*one object a line/],
    ['[]', /line 2: must be an object/],
    [{ ...GOOD, url: '/size' }, /line 2: url: no such field; there are question, urls, facts, answerable/],
    [{ ...GOOD, question: ' ' }, /line 2: question: must be a text/],
    [{ ...GOOD, question: 'a'.repeat(4_001) }, /line 2: question: must have at most 4000/],
    [{ ...GOOD, urls: '/size' }, /line 2: urls: must be a list of texts/],
    [{ ...GOOD, urls: ['/size', 3] }, /line 2: urls\[1\]: must be a text/],
    [{ ...GOOD, facts: 'x' }, /line 2: facts: must be a list of texts, or of lists/],
    [{ ...GOOD, facts: ['x', ['y', '']] }, /line 2: facts\[1\]\[1\]: must be a text/],
    [{ ...GOOD, facts: [[]] }, /line 2: facts\[0\]: must hold a wording/],
    [{ ...GOOD, answerable: 'no' }, /line 2: answerable: must be true or false/],
    [{ ...GOOD, answerable: false }, /line 2: urls: must be empty where answerable is false/],
    [{ question: 'Which?' }, /line 2: urls: name the right pages/],
    [{ question: 'Once', urls: ['/b'] }, /line 2: question: the same as in line 1/],
  ])('is refused with line and field: %j', (line, message) => {
    expect(() => parse({ question: 'Once', urls: ['/a'] }, line)).toThrow(message);
  });

  it('is refused where it is empty or not there', async () => {
    expect(() => parse('', ' ')).toThrow('my.jsonl holds no question');
    await expect(readQuestions('/no/such.jsonl')).rejects.toThrow('/no/such.jsonl cannot be read (ENOENT)');
  });
});

describe('judging', () => {
  it('counts pages, by whole addresses or ends of paths', () => {
    const found = ['http://a/x#1', 'http://a/x?y#2', 'http://a/d/size/#3', 'http://a/bigsize'];
    expect(placeOf(found, ['size'])).toBe(2);
    expect(placeOf(found, ['/d/size#top'])).toBe(2);
    expect(placeOf(found, ['http://a/x', 'size'])).toBe(1);
    expect(placeOf(found, ['ize', 'http://b/x'])).toBeNull();
  });

  it('finds a fact in any of its wordings, and not within a longer number or word', () => {
    expect(holds('It takes  One\nGigabyte.', ['1 GB', 'one gigabyte'])).toBe(true);
    expect(holds('It defaults to 0.25 or 10.2.', ['0.2'])).toBe(false);
    expect(holds('Use now(); (63 bytes)', ['now'])).toBe(true);
    expect(holds('1632 or 63', ['63'])).toBe(true);
    expect(holds('unknown', ['now'])).toBe(false);
  });
});

describe('npm run eval on a file of questions', () => {
  let folder: string;
  let server: Server;
  let asked: { readonly path: string; readonly body: { readonly [field: string]: unknown } }[];
  let answer: string;
  beforeEach(async () => {
    [asked, answer] = [[], 'At most 1 GB, one piece. [1]'];
    folder = await mkdtemp(join(tmpdir(), 'knowledger-questions-'));
    const answered = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = (await readJson(request)) as {
        readonly query?: string;
        readonly messages?: { content: string }[];
      };
      asked.push({ path: request.url!, body });
      const content = body.messages?.[0]?.content === GOOD.question ? answer : 'Nothing.';
      const urls = body.query === undefined ? [] : ['http://s/other#a', 'http://s/other#b', 'http://s/size'];
      const results = urls.map((url) => ({ content: { url } }));
      const choices = [{ message: { content }, citations: content.includes('[1]') ? [{}] : [] }];
      response.writeHead(request.headers['x-api-key'] === 'kn_k' ? 200 : 401);
      response.end(JSON.stringify(body.query === undefined ? { choices } : { results }));
    };
    server = createServer((request, response) => void answered(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
  });
  const run = async (args: readonly string[] = [], key = 'kn_k'): Promise<readonly string[]> => {
    const file = join(folder, 'q.jsonl');
    const unanswerable = { question: 'Who?', answerable: false };
    await writeFile(file, `${JSON.stringify(GOOD)}\n${JSON.stringify(unanswerable)}\n`);
    const printed: string[] = [];
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await judgeSite([file, '--url', url, ...args], { KNOWLEDGER_API_KEY: key }, (line) => printed.push(line));
    return printed;
  };

  it('prints a table and JSON, by mode, and keeps them', async () => {
    const [table, line] = await run(['--modes', 'keyword,vector', '--group', 'g1']);
    expect(table).toBe(
      'search   questions  success@1  success@5  MRR\n' +
        'keyword  1          0.000      1.000      0.500\n' +
        'vector   1          0.000      1.000      0.500\n\n' +
        'answers\nunanswerable weak  1.000\nanswerable weak    0.000\nall key facts      1.000',
    );
    expect(JSON.parse(line!)).toMatchObject({
      questions: 2,
      modes: { keyword: { questions: 1, success1: 0, success5: 1, mrr: 0.5 }, vector: {} },
      answers: { weakOfUnanswerable: 1, weakOfAnswerable: 0, facts: 1 },
      outcomes: [{ places: { keyword: 2, vector: 2 } }, { answer: { weak: true, facts: [] } }],
      changes: [],
    });
    expect(asked.map(({ path, body }) => [path, body['mode'], body['source_group_ids']])).toEqual([
      ['/api/v1/search', 'keyword', ['g1']],
      ['/api/v1/search', 'vector', ['g1']],
      ['/api/v1/completions', undefined, ['g1']],
      ['/api/v1/completions', undefined, ['g1']],
    ]);
  });

  it('shows what is different from the last run, question by question', async () => {
    await run();
    expect((await run())[1]).toBe('\nno question changed\n');
    answer = 'Nothing answers this. The nearest page: 1 GB, one piece';
    const [table, changes] = await run();
    expect(table).toContain('answerable weak    1.000 (0.000)\nall key facts      0.000 (1.000)');
    expect(changes).toBe('\nHow large?: weak no -> yes\nHow large?: key facts 2 of 2 -> 0 of 2\n');
    const [json] = await run(['--json', '--search-only']);
    expect(JSON.parse(json!)).toMatchObject({ answers: null, modes: { hybrid: { mrr: 0.5 } } });
  });

  it('shows what came where a question went wrong, and keeps none of it', async () => {
    answer = 'One.\nIt is large. [1]';
    const printed = await run(['--modes', 'keyword', '--misses']);
    expect(printed.slice(1, -1)).toEqual([
      'How large?',
      '  keyword: the right page at place 2; found',
      '    http://s/other',
      '    http://s/size',
      '  the answer lacks 1 GB:',
      '    One.',
      '    It is large. [1]',
      '',
    ]);
    answer = 'Nothing.';
    expect((await run(['--modes', 'keyword', '--misses'])).join('\n')).toContain(
      '  told as weak, although it is answerable:\n    Nothing.',
    );
    expect(await readFile(join(folder, 'q.jsonl.last-run.json'), 'utf8')).not.toContain('Nothing.');
  });

  it('keeps the last run when it cannot finish, and says what to do', async () => {
    await run();
    const kept = await readFile(join(folder, 'q.jsonl.last-run.json'), 'utf8');
    await expect(run([], 'kn_other')).rejects.toThrow('POST /search answers 401');
    await expect(run([], '')).rejects.toThrow('KNOWLEDGER_API_KEY is not set');
    await expect(run(['--modes', 'words'])).rejects.toThrow('--modes: words is none of keyword');
    await expect(run(['--url', 'http://127.0.0.1:1'])).rejects.toThrow(/does not answer .*--url/);
    expect(await readFile(join(folder, 'q.jsonl.last-run.json'), 'utf8')).toBe(kept);
  });
});
