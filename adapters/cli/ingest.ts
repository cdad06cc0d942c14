import { createHash } from 'node:crypto';
import { type Stats, createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { reasonOf, WrongUse } from './failures.ts';
import { createProgressBar, type ProgressOutput } from './progress.ts';
import { type LocalFile, type GroupState, createApiClient, type ApiClient } from './service.ts';

export interface IngestRequest {
  readonly paths: readonly string[];
  /** Name of the group; a group without this name is created. */
  readonly name: string;
  /** Base URL of the service, without a path. */
  readonly url: string;
  readonly key: string;
  /** How the caller's shell refers to the key. */
  readonly keyInShell: string;
}

const POLL_MS = 300;
const OVER = new Set(['success', 'failure', 'canceled']);

/**
 * Uploads files into a group and waits until they are read; files that are already there, by hash, are not
 * sent, nor those that were not read and have not changed since.
 *
 * @returns whether everything succeeded
 * @throws Error that says what to do, when nothing more can be sent
 */
export const ingest = async (request: IngestRequest, screen: ProgressOutput): Promise<boolean> => {
  try {
    return await send(request, screen);
  } catch (error) {
    throw reasonOf(error, request.url);
  }
};

const send = async (request: IngestRequest, screen: ProgressOutput): Promise<boolean> => {
  const service = createApiClient(request.url, request.key);
  const say = (line: string): void => screen.write(`${line}\n`);
  const files = await findFiles(request.paths);
  if (files.length === 0) throw new Error('there are no files: hidden files and links are skipped');
  const tooLarge = files.filter(({ bytes }) => bytes > MAX_FILE_BYTES);
  for (const { name } of tooLarge) say(`skipped, larger than 499 MB: ${name}`);
  const known = await service.findGroupId(request.name);
  const [there, failedAt] =
    known === undefined
      ? [new Set<string>(), new Map<string, number>()]
      : await Promise.all([service.hashesOf(known), service.failedAt(known)]);
  const allowed = files.filter(({ bytes }) => bytes <= MAX_FILE_BYTES);
  const wanted = allowed.filter(({ name, changed }) => Math.floor(changed) > (failedAt.get(name) ?? 0));
  const fresh = there.size === 0 ? wanted : await lacking(wanted, there);
  if (fresh.length < wanted.length)
    say(`${wanted.length - fresh.length} of ${files.length} files are there already`);
  if (wanted.length < allowed.length)
    say(
      `${allowed.length - wanted.length} of ${files.length} files are not sent again: they were not read, or not as a whole, and have not changed since`,
    );
  const group = await upload(service, request.name, known, fresh, screen);
  if (group === undefined) throw new Error('there is nothing that can be sent');
  const state = await untilRead(service, group, files.length, screen);
  await tell(service, group, state, say);
  say(
    `\nSearch it, with the key in KNOWLEDGER_API_KEY or KEY:\n\n  ${searchLine(request, group, await service.findTitle(group))}\n`,
  );
  return state.status === 'success' && tooLarge.length === 0;
};

const lacking = async (
  files: readonly LocalFile[],
  there: ReadonlySet<string>,
): Promise<readonly LocalFile[]> => {
  const fresh: LocalFile[] = [];
  for (const file of files) if (!there.has(await hashOf(file.path))) fresh.push(file);
  return fresh;
};

const hashOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

const upload = async (
  service: ApiClient,
  name: string,
  known: string | undefined,
  files: readonly LocalFile[],
  screen: ProgressOutput,
): Promise<string | undefined> => {
  const bar = createProgressBar(screen, 'Uploading');
  const total = formatBytes(files);
  let group = known;
  let [sent, count] = [0, 0];
  for (const batch of batchesOf(files)) {
    if (group === undefined) group = await service.create(name, batch);
    else await service.add(group, batch);
    sent += formatBytes(batch);
    count += batch.length;
    bar.show(sent, total, `${count} of ${files.length} files, ${megabytes(sent)} of ${megabytes(total)} MB`);
  }
  if (files.length > 0) bar.end();
  return group;
};

const formatBytes = (files: readonly LocalFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

/** A job follows another when files arrived meanwhile: ingestion is complete when two consecutive polls say so. */
const untilRead = async (
  service: ApiClient,
  group: string,
  files: number,
  screen: ProgressOutput,
): Promise<GroupState> => {
  const bar = createProgressBar(screen, 'Reading  ');
  for (let quiet = 0; ;) {
    const state = await service.stateOf(group);
    quiet = OVER.has(state.status) ? quiet + 1 : 0;
    const { seen } = state.progress;
    bar.show(quiet > 0 ? files : Math.min(seen, files), files, `${seen} files looked at`);
    if (quiet > 1) {
      bar.end();
      return state;
    }
    await wait(POLL_MS);
  }
};

const tell = async (
  service: ApiClient,
  group: string,
  { status, progress, error }: GroupState,
  say: (line: string) => void,
): Promise<void> => {
  if (error !== undefined) say(`${error.title}: ${error.message}`);
  else if (status !== 'success') say(`the job ended as ${status}`);
  const { indexed, unchanged, skipped, failed } = progress;
  say(
    `${indexed + unchanged} files are indexed, ${skipped} are of types that are not read, ${failed} could not be read.`,
  );
  const { errors, total } = await service.failuresOf(group);
  if (total === 0) return;
  // Includes indexed files of which a part is missing, such as speech in a recording.
  say(`Not read, or not as a whole:`);
  for (const { locator, message } of errors) say(`  ${locator}: ${message}`);
  if (total > errors.length)
    say(`  … and ${total - errors.length} more: GET /api/v1/local-file-groups/${group}/errors`);
};

/** A busy service says when to retry, and curl obeys. */
const searchLine = (
  { url, keyInShell }: IngestRequest,
  group: string,
  title = 'words to look for',
): string => {
  const body = JSON.stringify({ query: title, source_group_ids: [group], limit: 5 }).replaceAll(
    "'",
    String.raw`'\''`,
  );
  return `curl -sS --retry 3 ${url}/api/v1/search -H "x-api-key: ${keyInShell}" -H 'content-type: application/json' -d '${body}'`;
};

/** Large folders of other programs. */
const SKIPPED = new Set(['node_modules']);

/**
 * The named files, and all files below named folders, by name. Skips hidden files and links unless they are named
 * themselves. With several folders, file names begin with the folder's name.
 *
 * @throws WrongUse when a named path does not exist
 */
const findFiles = async (paths: readonly string[]): Promise<readonly LocalFile[]> => {
  const found = await Promise.all(paths.map((path) => filesAt(path, paths.length > 1)));
  return found.flat().toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

const filesAt = async (path: string, several: boolean): Promise<readonly LocalFile[]> => {
  const info = await stat(path).catch(() => {
    throw new WrongUse(`${path} is not there`);
  });
  if (info.isFile()) return [fileOf(path, basename(path), info)];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const prefix = several ? [basename(path)] : [];
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name));
  const wanted = files.filter(
    (file) => !partsOf(path, file).some((part) => part.startsWith('.') || SKIPPED.has(part)),
  );
  return Promise.all(
    wanted.map(async (file) => fileOf(file, [...prefix, ...partsOf(path, file)].join('/'), await stat(file))),
  );
};

const partsOf = (folder: string, file: string): readonly string[] => relative(folder, file).split(sep);

const fileOf = (path: string, name: string, info: Stats) => ({
  path,
  name,
  bytes: info.size,
  modified: Math.round(info.mtimeMs),
  // A copy keeps the time of its contents.
  changed: Math.max(info.mtimeMs, info.ctimeMs) / 1_000,
});

/** Small enough for a smooth progress bar, and for a cheap retry. */
const MAX_FILES = 200;
const MAX_BYTES = 32 * 1024 ** 2;
/** The service's limit of one form, with room for the text around the file. */
const MAX_FILE_BYTES = 499 * 1024 ** 2;

/** The batches that are sent as one form each, in order. A large file is a batch of its own. */
const batchesOf = (files: readonly LocalFile[]): readonly (readonly LocalFile[])[] => {
  const batches: LocalFile[][] = [];
  let bytes = Infinity;
  for (const file of files) {
    const last = batches.at(-1);
    bytes += file.bytes;
    if (last === undefined || last.length === MAX_FILES || bytes > MAX_BYTES) {
      batches.push([file]);
      ({ bytes } = file);
    } else last.push(file);
  }
  return batches;
};
