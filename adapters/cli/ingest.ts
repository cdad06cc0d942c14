import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createProgressBar, type Screen } from './progress.ts';
import { type FoundFile, type GroupState, remoteService, type RemoteService } from './service.ts';

export interface IngestRequest {
  readonly paths: readonly string[];
  /** Of the group, which is made where there is none of this name. */
  readonly name: string;
  /** Where the service listens, without a path. */
  readonly url: string;
  readonly key: string;
  /** How the shell of the caller writes the key. */
  readonly keyInShell: string;
}

const POLL_MS = 300;
const OVER = new Set(['success', 'failure', 'canceled']);

/**
 * Uploads files into a group and waits until they are read; those that are there already, by their hash, are not sent.
 * Answers whether all went well.
 *
 * @throws Error with what to do, where nothing more can be sent
 */
export const ingest = async (request: IngestRequest, screen: Screen): Promise<boolean> => {
  const service = remoteService(request.url, request.key);
  const say = (line: string): void => screen.write(`${line}\n`);
  const files = await findFiles(request.paths);
  if (files.length === 0) throw new Error('there are no files: hidden ones and links are left out');
  const tooLarge = files.filter(({ bytes }) => bytes > MAX_OF_ONE);
  for (const { name } of tooLarge) say(`left out, as it is larger than 499 MB: ${name}`);
  const known = await service.groupNamed(request.name);
  const there = known === undefined ? new Set<string>() : await service.hashesOf(known);
  const wanted = files.filter(({ bytes }) => bytes <= MAX_OF_ONE);
  const fresh = there.size === 0 ? wanted : await lacking(wanted, there);
  if (fresh.length < wanted.length)
    say(`${wanted.length - fresh.length} of ${wanted.length} files are there already`);
  const group = await upload(service, request.name, known, fresh, screen);
  if (group === undefined) throw new Error('there is nothing that can be sent');
  const state = await untilRead(service, group, files.length, screen);
  await tell(service, group, state, say);
  say(
    `\nSearch it, with the key in KNOWLEDGER_API_KEY or KEY:\n\n  ${searchLine(request, group, await service.titleIn(group))}\n`,
  );
  return state.status === 'success' && tooLarge.length === 0;
};

const lacking = async (
  files: readonly FoundFile[],
  there: ReadonlySet<string>,
): Promise<readonly FoundFile[]> => {
  const fresh: FoundFile[] = [];
  for (const file of files) if (!there.has(await hashOf(file.path))) fresh.push(file);
  return fresh;
};

const hashOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

const upload = async (
  service: RemoteService,
  name: string,
  known: string | undefined,
  files: readonly FoundFile[],
  screen: Screen,
): Promise<string | undefined> => {
  const bar = createProgressBar(screen, 'Uploading');
  const total = sizeOf(files);
  let group = known;
  let [sent, count] = [0, 0];
  for (const batch of batchesOf(files)) {
    if (group === undefined) group = await service.create(name, batch);
    else await service.add(group, batch);
    sent += sizeOf(batch);
    count += batch.length;
    bar.show(sent, total, `${count} of ${files.length} files, ${megabytes(sent)} of ${megabytes(total)} MB`);
  }
  if (files.length > 0) bar.end();
  return group;
};

const sizeOf = (files: readonly FoundFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

/** Jobs follow each other where files came while one was at work: over is what is over at two looks. */
const untilRead = async (
  service: RemoteService,
  group: string,
  files: number,
  screen: Screen,
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
  service: RemoteService,
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
  // More than failed: of some that are indexed a part is missing, such as what is said in them.
  say(`Not read, or not as a whole:`);
  for (const { locator, message } of errors) say(`  ${locator}: ${message}`);
  if (total > errors.length)
    say(`  … and ${total - errors.length} more: GET /api/v1/local-file-groups/${group}/errors`);
};

/** A service that is busy says so, and when to come back: curl obeys. */
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

/** Of other programs, and large. */
const SKIPPED = new Set(['node_modules']);

/**
 * The files that are named, and those of named folders with all below, by name. Hidden ones and links are left out, but
 * for those that are named themselves. Where several folders are named, the names of their files begin with theirs.
 *
 * @throws Error where something that is named is not there
 */
const findFiles = async (paths: readonly string[]): Promise<readonly FoundFile[]> => {
  const found = await Promise.all(paths.map((path) => filesAt(path, paths.length > 1)));
  return found.flat().toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

const filesAt = async (path: string, several: boolean): Promise<readonly FoundFile[]> => {
  const info = await stat(path).catch(() => {
    throw new Error(`${path} is not there`);
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

const fileOf = (path: string, name: string, info: { readonly size: number; readonly mtimeMs: number }) => ({
  path,
  name,
  bytes: info.size,
  modified: Math.round(info.mtimeMs),
});

/** Small enough for the bar to move, and for one that breaks off to cost little. */
const MAX_FILES = 200;
const MAX_BYTES = 32 * 1024 ** 2;
/** What the service takes in one form, with room for what stands around the file. */
const MAX_OF_ONE = 499 * 1024 ** 2;

/** What goes together into one form each, in order. A large file goes alone. */
const batchesOf = (files: readonly FoundFile[]): readonly (readonly FoundFile[])[] => {
  const batches: FoundFile[][] = [];
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
