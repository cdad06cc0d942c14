import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Config } from '../config/config.ts';
import { ConfigError, type Environment } from '../config/environment.ts';
import { readProfile, type ServiceAddress } from './profile.ts';

/** Options of every command that a running service answers. */
const SERVICE_HELP = `  --json    a line of JSON for each record, as it is where the output is no terminal
  --url     where the service listens; else KNOWLEDGER_URL, else that of knowledger login
  --key     an API key; else KNOWLEDGER_API_KEY, else that of knowledger login

Ends with 0; 1 where what was asked for has failed; 2 for a wrong call; 3 where there is no such thing; 4 where the key may
not; 5 where the service cannot be reached or is busy.`;

/** Options of commands that read the event log. */
const FILTER_HELP = `  --stream    such as dataSource-<id>
  --stream-prefix  of streams whose names begin so
  --actor     what this actor did: the id of an API key, for example
  --trace-id  of this trace
  --from      recorded at this time or later: RFC 3339, or Unix seconds
  --to        recorded before this time
  --where     with these values, such as '{"/data/job_id":"…","/actor/kind":"worker"}': JSON Pointers into an event`;

/** The `--help` text of each command, in listing order. */
export const HELP = {
  ingest: `usage: knowledger ingest [--name <name>] [--url <url>] [--key <key>] <folder or files>

Uploads a folder, or files, to a running service, waits until they are read, and prints a search to try. Files that the
service has already are skipped: call it again after a break.

  --name  the name of the group of files; else that of the first folder or file
  --url   where the service listens; else KNOWLEDGER_URL, else http://127.0.0.1:3000
  --key   an API key with the scopes ingestion:manage and knowledge:read; else KNOWLEDGER_API_KEY`,
  rebuild: `usage: knowledger rebuild [<view> …]

Builds read models afresh from the events, beside a running service or without one, and switches over. Without a name:
all of them. A name that there is not is answered with all that there are.`,
  views: `usage: knowledger views [list]

Shows the read models, beside a running service or without one: version and position of each, how many events and seconds
it is behind the log, why it is halted, the version that is being built beside it, and the streams of events that it passes
over because events of them are missing or another program wrote them.`,
  stream: `usage: knowledger stream show <id of a record, or name of a stream>

Shows each event of a record, beside a running service or without one: revision, time, who caused it, type, and which
fields it changed from what (-) to what (+). Titles are redacted as their tenant's policies have it, hashes of keys left
out. In colours on a terminal.`,
  audit: `usage: knowledger audit verify [--tenant <id or name>] [--since <file>] [--against <file>] …

Reads the event log from the store, beside a running service or without one, computes its Merkle trees again, and compares
them with the trees and the checkpoints that are kept. Names the first event of each tenant that differs.

  --tenant   the log of this tenant alone
  --since    a checkpoint, as a signed note: the events that it covers are not read again
  --against  a checkpoint that was kept elsewhere; it proves what whoever owns this machine could have written anew`,
  events: `usage: knowledger events export [options] <file>
       knowledger events into [options] <file>.duckdb

Writes the event log to a file, beside a running service or without one. The ending of its name says how: .ndjson (lines
that docs/verify-export.mjs checks), .csv, or .parquet (a folder of numbered files). Call it again with the same options
after a break, or when the log has grown: it goes on where it was. <file>.state.json remembers where.
into writes a database of DuckDB, which remembers it itself: a table of events, and views of jobs, units, runs, actors and
more. It needs the package @duckdb/node-api. docs/analysts.md has questions and their SQL.

  --tenant    the events of this tenant, by its id or name; else those of all tenants
  --category  of the stream, such as dataSource; may be repeated
  --type      such as JobFailed; may be repeated
${FILTER_HELP}
  --after     after this position
  --with-hashes  also the hashes of events that these options leave out, so that the file can be verified (.ndjson)`,
  tenant: `usage: knowledger tenant <name>           make a tenant and print its first API key
       knowledger tenant list             list the tenants
       knowledger tenant key <id or name> print one more API key of a tenant, if all were lost

Keys are printed once and kept nowhere.`,
  mcp: `usage: knowledger mcp [--url <url>] [--key <key>] [--principal-id <id>] [--authz-policy <name>]

Speaks the Model Context Protocol over standard input and output, with a running service: for clients that start a
program. docs/agents.md has the lines of configuration that such clients take.

  --url           where the service listens; else KNOWLEDGER_URL, else http://127.0.0.1:3000
  --key           an API key with the scope knowledge:read or inference:run; else KNOWLEDGER_API_KEY, which does not show
                  in lists of processes
  --principal-id  the end user on whose behalf tools read
  --authz-policy  the authorization policy that they follow`,
  model: `usage: knowledger model fetch <name> [--from <folder or URL>] [--weights <path>] [--again] …
       knowledger model list        list the models that are there

Brings a model in ONNX into the data directory, checks its files, and says how to use it: as EMBEDDINGS_MODEL or
RERANK_MODEL=local:<name>. What breaks off goes on with the next call. Nothing is loaded from elsewhere afterwards.

  --from             a folder with the files, or the URL of a mirror; else https://huggingface.co
  --revision         a branch, tag or commit of the hub; else main
  --weights          the graph to take; else the one of 8 bits, where there is one: onnx/model_quantized.onnx
  --again            also where the model is there
  --task             embedding or reranking, where its files do not say
  --pooling          mean, cls, max, last or given, where its files do not say
  --query-prefix     put before questions, and
  --document-prefix  before documents, where its files do not say`,
  'rotate-master-key': `usage: knowledger rotate-master-key

Encrypts the keys of conversations, agents' threads and secrets under another master key. Where KNOWLEDGER_MASTER_KEY is
set, under that one, beside running services; KNOWLEDGER_MASTER_KEY_PREVIOUS is the old one then. Else under one that it
makes and leaves in the data directory, while no service runs.`,
  'make-master-key': `usage: knowledger make-master-key <id, alias or ARN of a key of AWS KMS>

Has AWS KMS make a master key, and prints it wrapped by that key of its own, as KNOWLEDGER_MASTER_KEY takes it. Credentials
are found as the AWS SDK does.`,
  crawl: `usage: knowledger crawl [options] <address>

Has a running service crawl a site, and waits until it is searchable.

  --name     the name of the source; else its address
  --depth    how many links deep: 3 unless told
  --pages    how many pages at most: 1000 unless told
  --rrule    a recurrence rule (RFC 5545), such as FREQ=DAILY, to do it again and again
  --no-wait  print the id and go on
${SERVICE_HELP}`,
  search: `usage: knowledger search [options] <words>

Searches the contents of a running service.

  --limit   how many hits
  --source  only in this source, by its id; may be repeated
  --tag     only in sources with this tag; may be repeated
${SERVICE_HELP}`,
  ask: `usage: knowledger ask [options] <question>

Answers a question from the contents, as the answer comes, with the pages that it cites.

  --source  only from this source, by its id; may be repeated
  --tag     only from sources with this tag; may be repeated
  --model   one of the models that the operator allows
${SERVICE_HELP}`,
  sources: `usage: knowledger sources [list] [--type <type>] [--status <status>] [--name <beginning>]
       knowledger sources show|wait|sync|cancel|delete <id>

Shows and changes the data sources of a running service. wait ends with the job; it fails where that has failed.
${SERVICE_HELP}`,
  jobs: `usage: knowledger jobs [list]
       knowledger jobs failed
       knowledger jobs errors [--code <code>] [--source <id>]

Shows what is at work, sources whose job has failed, and the pages and files that could not be read.
${SERVICE_HELP}`,
  tail: `usage: knowledger tail [options]

Follows the event log of a running service: a line of JSON for each event, from now on. It goes on after a break.

  --types     such as JobFailed; may be repeated
  --category  of the stream, such as dataSource; may be repeated
${FILTER_HELP}
  --after     after this position
  --from-start  from the first event of the log, as with --from
${SERVICE_HELP}`,
  keys: `usage: knowledger keys [list]
       knowledger keys issue [--scope <scope>] [--source <id>] <name>
       knowledger keys rotate|revoke <id>

Shows and changes the API keys of a running service. A new key is printed once. Without --scope it may read and ask;
scope and source may be repeated.
${SERVICE_HELP}`,
  login: `usage: knowledger login [--url <url>]

Asks for an API key, or reads it from standard input, tries it, and keeps address and key in a file that only you can
read. Commands use it where neither options nor variables name a service.`,
  completion: `usage: knowledger completion bash|zsh|fish

Prints what a shell needs to complete commands.`,
};

const EXAMPLES: Readonly<Record<keyof typeof HELP, string>> = {
  ingest: 'knowledger ingest --name Manuals ~/manuals',
  rebuild: 'knowledger rebuild catalog',
  views: 'knowledger views',
  stream: 'knowledger stream show 0198c2f0-9a6b-7cc3-a5d1-2f6f3a9c1e77',
  audit: 'knowledger audit verify --against checkpoint.txt',
  events: 'knowledger events export --category dataSource --from 2026-01-01T00:00:00Z jobs.csv',
  tenant: 'knowledger tenant "Legal department"',
  mcp: 'KNOWLEDGER_API_KEY=kn_… knowledger mcp --url https://knowledge.example.com',
  model: 'knowledger model fetch Xenova/multilingual-e5-small',
  'rotate-master-key': 'knowledger rotate-master-key',
  'make-master-key': 'knowledger make-master-key alias/knowledger',
  crawl: 'knowledger crawl https://example.com/manual/ --pages 200',
  search: 'knowledger search restore a backup --limit 5',
  ask: 'knowledger ask "How do I restore a backup?"',
  sources: 'knowledger sources --status failure',
  jobs: 'knowledger jobs errors --code http_status --json | jq .locator',
  tail: 'knowledger tail --types JobFailed',
  keys: 'knowledger keys issue --scope knowledge:read "Reading only"',
  login: 'knowledger login --url https://knowledge.example.com',
  completion: 'source <(knowledger completion bash)',
};

/** The overview of all commands. */
export const USAGE = `usage: knowledger serve                   run the service; npm start does the same
       knowledger ingest <folder>         upload a folder or files to a running service, and wait until they are read
       knowledger rebuild [view …]        build read models afresh, beside a running service or without one
       knowledger views                   show the read models, and what they pass over
       knowledger stream show <id>        show what each event of a record changed
       knowledger audit verify            compare the event log with its signed checkpoints
       knowledger events export <file>    write the event log to a file
       knowledger events into <file>      write it into a database of DuckDB, with views for analysts
       knowledger tenant <name>           make a tenant and print its first API key
       knowledger tenant list             list the tenants
       knowledger tenant key <tenant>     print one more API key of a tenant, by its id or name, if all were lost
       knowledger mcp                     speak the Model Context Protocol over standard input and output, with a running service
       knowledger model fetch <name>      bring a model of embeddings or a reranker onto this machine
       knowledger model list              list the models of this machine
       knowledger rotate-master-key       encrypt all data keys under another master key
       knowledger make-master-key <key>   have AWS KMS make a master key, wrapped by this key of its own
       knowledger crawl <address>         have a running service crawl a site
       knowledger search <words>          search its contents
       knowledger ask <question>          have a question answered, with citations
       knowledger sources                 show data sources, sync, cancel and delete them
       knowledger jobs                    show what is at work, and what has failed
       knowledger tail                    follow its event log
       knowledger keys                    show, issue, rotate and revoke API keys
       knowledger login                   keep the address and key of a service
       knowledger completion <shell>      print what a shell needs to complete commands

knowledger <command> --help tells more of one; in a checkout, npm run -s knowledger -- <command>. Environment variables configure the program: docs/configuration.md`;

const ASKS_FOR_HELP: ReadonlySet<string> = new Set(['--help', '-h']);

/** The help text that these program arguments ask for; null when they do not ask for help. */
export const helpFor = ([command, ...rest]: readonly string[]): string | null => {
  if (command === undefined) return null;
  if (ASKS_FOR_HELP.has(command) || command === 'help') return USAGE;
  const options = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  return options.some((one) => ASKS_FOR_HELP.has(one)) ? (of(command) ?? USAGE) : null;
};

const SERVE = `usage: knowledger serve

Runs the service until SIGTERM or Ctrl-C. Environment variables configure it: docs/configuration.md.

For example: PORT=8080 KNOWLEDGER_DATA_DIR=/srv/knowledger knowledger serve`;

const of = (command: string): string | undefined => {
  if (command === 'serve') return SERVE;
  if (!Object.hasOwn(HELP, command)) return undefined;
  const name = command as keyof typeof HELP;
  return `${HELP[name]}\n\nFor example: ${EXAMPLES[name]}`;
};

/** @throws ConfigError for an unknown option or a missing value */
export const parsedArguments = <const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  allowPositionals = true,
) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals });
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
};

/**
 * The service that a command talks to: from its options, else from the environment, else the one that `login` has kept,
 * whose key goes nowhere else, else the service that this configuration would start.
 *
 * @param noKey error message that says what to do when there is no key
 * @throws ConfigError
 */
export const serviceAddress = (
  { host, port, service }: Pick<Config, 'host' | 'port' | 'service'>,
  given: { readonly url?: string | undefined; readonly key?: string | undefined },
  noKey: string,
  env?: Environment,
): ServiceAddress => {
  const isNamed = [given.url, given.key, service.url, service.key].some((part) => part !== undefined);
  const kept = isNamed || env === undefined ? undefined : readProfile(env);
  if (kept !== undefined) return kept;
  const key = given.key ?? service.key ?? '';
  if (key === '') throw new ConfigError(noKey);
  const url = given.url ?? service.url ?? `http://${host}:${port}`;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new ConfigError(`${url} is not the address of a service: write it like http://127.0.0.1:3000`);
  return { key, url: url.replace(/\/(?:api\/v1\/?)?$/, '') };
};
