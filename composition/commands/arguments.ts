import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/environment.ts';

/** The `--help` text of each command, in listing order. */
export const HELP = {
  ingest: `usage: npm run ingest -- [--name <name>] [--url <url>] [--key <key>] <folder or files>

Uploads a folder, or files, to a running service, waits until they are read, and prints a search to try. Files that the
service has already are skipped: call it again after a break.

  --name  the name of the group of files; else that of the first folder or file
  --url   where the service listens; else KNOWLEDGER_URL, else http://127.0.0.1:3000
  --key   an API key with the scopes ingestion:manage and knowledge:read; else KNOWLEDGER_API_KEY`,
  rebuild: `usage: npm run rebuild [-- <view> …]

Builds read models afresh from the events, beside a running service or without one, and switches over. Without a name:
all of them. A name that there is not is answered with all that there are.`,
  views: `usage: npm run views [-- list]

Shows the read models, beside a running service or without one: version and position of each, how many events and seconds
it is behind the log, why it is halted, the version that is being built beside it, and the streams of events that it passes
over because events of them are missing or another program wrote them.`,
  stream: `usage: npm run stream -- show <id of a record, or name of a stream>

Shows each event of a record, beside a running service or without one: revision, time, who caused it, type, and which
fields it changed from what (-) to what (+). Titles are redacted as their tenant's policies have it, hashes of keys left
out. In colours on a terminal.`,
  audit: `usage: npm run audit -- verify [--tenant <id or name>] [--since <file>] [--against <file>] …

Reads the event log from the store, beside a running service or without one, computes its Merkle trees again, and compares
them with the trees and the checkpoints that are kept. Names the first event of each tenant that differs.

  --tenant   the log of this tenant alone
  --since    a checkpoint, as a signed note: the events that it covers are not read again
  --against  a checkpoint that was kept elsewhere; it proves what whoever owns this machine could have written anew`,
  events: `usage: npm run events -- export [options] <file>
       npm run events -- into [options] <file>.duckdb

Writes the event log to a file, beside a running service or without one. The ending of its name says how: .ndjson (lines
that docs/verify-export.mjs checks), .csv, or .parquet (a folder of numbered files). Call it again with the same options
after a break, or when the log has grown: it goes on where it was. <file>.state.json remembers where.
into writes a database of DuckDB, which remembers it itself: a table of events, and views of jobs, units, runs, actors and
more. It needs the package @duckdb/node-api. docs/analysts.md has questions and their SQL.

  --tenant    the events of this tenant, by its id or name; else those of all tenants
  --category  of the stream, such as dataSource; may be repeated
  --type      such as JobFailed; may be repeated
  --stream    such as dataSource-<id>
  --actor     what this actor did: the id of an API key, for example
  --trace-id  of this trace
  --from      recorded at this time or later: RFC 3339, or Unix seconds
  --to        recorded before this time
  --after     after this position
  --with-hashes  also the hashes of events that these options leave out, so that the file can be verified (.ndjson)`,
  tenant: `usage: npm run tenant -- <name>           make a tenant and print its first API key
       npm run tenant -- list             list the tenants
       npm run tenant -- key <id or name> print one more API key of a tenant, if all were lost

Keys are printed once and kept nowhere.`,
  mcp: `usage: npm run -s mcp [-- [--url <url>] [--key <key>] [--principal-id <id>] [--authz-policy <name>]]

Speaks the Model Context Protocol over standard input and output, with a running service: for clients that start a
program. docs/agents.md has the lines of configuration that such clients take.

  --url           where the service listens; else KNOWLEDGER_URL, else http://127.0.0.1:3000
  --key           an API key with the scope knowledge:read or inference:run; else KNOWLEDGER_API_KEY, which does not show
                  in lists of processes
  --principal-id  the end user on whose behalf tools read
  --authz-policy  the authorization policy that they follow`,
  model: `usage: npm run model -- fetch <name> [--from <folder or URL>] [--weights <path>] [--again] …
       npm run model -- list        list the models that are there

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
  'rotate-master-key': `usage: npm run rotate-master-key

Encrypts the keys of conversations, agents' threads and secrets under another master key. Where KNOWLEDGER_MASTER_KEY is
set, under that one, beside running services; KNOWLEDGER_MASTER_KEY_PREVIOUS is the old one then. Else under one that it
makes and leaves in the data directory, while no service runs.`,
  'make-master-key': `usage: npm run make-master-key -- <id, alias or ARN of a key of AWS KMS>

Has AWS KMS make a master key, and prints it wrapped by that key of its own, as KNOWLEDGER_MASTER_KEY takes it. Credentials
are found as the AWS SDK does.`,
};

/** The overview of all commands. */
export const USAGE = `usage: npm start                      run the service
       npm run ingest -- <folder>     upload a folder or files to a running service, and wait until they are read
       npm run rebuild [-- view …]    build read models afresh, beside a running service or without one
       npm run views                  show the read models, and what they pass over
       npm run stream -- show <id>    show what each event of a record changed
       npm run audit -- verify        compare the event log with its signed checkpoints
       npm run events -- export <file>  write the event log to a file
       npm run events -- into <file>  write it into a database of DuckDB, with views for analysts
       npm run tenant -- <name>       make a tenant and print its first API key
       npm run tenant -- list         list the tenants
       npm run tenant -- key <tenant> print one more API key of a tenant, by its id or name, if all were lost
       npm run -s mcp                 speak the Model Context Protocol over standard input and output, with a running service
       npm run model -- fetch <name>  bring a model of embeddings or a reranker onto this machine
       npm run model -- list          list the models of this machine
       npm run rotate-master-key      encrypt all data keys under another master key
       npm run make-master-key -- <key>  have AWS KMS make a master key, wrapped by this key of its own

npm run <command> -- --help tells more of one. Environment variables configure the program: docs/configuration.md`;

const ASKS_FOR_HELP: ReadonlySet<string> = new Set(['--help', '-h']);

/** The help text that these program arguments ask for; null when they do not ask for help. */
export const helpFor = ([command, ...rest]: readonly string[]): string | null => {
  if (command === undefined) return null;
  if (ASKS_FOR_HELP.has(command) || command === 'help') return USAGE;
  const options = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  return options.some((one) => ASKS_FOR_HELP.has(one)) ? (of(command) ?? USAGE) : null;
};

const of = (command: string): string | undefined =>
  Object.hasOwn(HELP, command) ? HELP[command as keyof typeof HELP] : undefined;

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

/** A running service, and the API key for it. */
export interface ServiceAddress {
  /** Base URL, without a path. */
  readonly url: string;
  readonly key: string;
}

/**
 * The service that a command talks to: from its options, else from the environment, else the service that this
 * configuration would start.
 *
 * @param noKey error message that says what to do when there is no key
 * @throws ConfigError
 */
export const serviceAddress = (
  { host, port, service }: Pick<Config, 'host' | 'port' | 'service'>,
  given: { readonly url?: string | undefined; readonly key?: string | undefined },
  noKey: string,
): ServiceAddress => {
  const key = given.key ?? service.key ?? '';
  if (key === '') throw new ConfigError(noKey);
  const url = given.url ?? service.url ?? `http://${host}:${port}`;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new ConfigError(`${url} is not the address of a service: write it like http://127.0.0.1:3000`);
  return { key, url: url.replace(/\/(?:api\/v1\/?)?$/, '') };
};
