import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { MetadataKey } from '../../../domain/source/metadata-key.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { WorkLost } from '../../jobs/work-handler.ts';
import type { CommandContext } from '../../ports/event-metadata.ts';
import type { FileAreas, LocalFileStore } from '../../ports/file-store.ts';
import type { Clock, Hash, IdSource } from '../../ports/identity.ts';
import type { UploadLeases } from '../../ports/leases.ts';
import type { Logger } from '../../ports/logger.ts';
import { removeLeft } from './sweep-uploads.ts';

export interface UploadDeps {
  readonly execute: Execute;
  readonly files: FileAreas;
  readonly uploads: UploadLeases;
  readonly ids: IdSource;
  readonly hash: Hash;
  readonly clock: Clock;
  readonly log: Logger;
  /** Calls `run` every `ms` until it is stopped. */
  readonly every: (ms: number, run: () => Promise<void>) => { readonly stop: () => void };
}

const HELD_MS = 60_000;
const RENEW_MS = 20_000;

/** Where the bytes of one upload wait. */
export interface UploadArea {
  readonly id: string;
  readonly area: LocalFileStore;
  /** From now on this data source goes with the upload, should it break off. @param context of its deletion */
  readonly create: (dataSourceId: string, context: CommandContext) => Promise<void>;
  /** To be called before anything is made of the bytes. @throws WorkLost: this process stood still for too long */
  readonly assertLeaseHeld: () => Promise<void>;
}

/**
 * Has `use` fill an area of its own. When `use` fails, the area goes, and before it what was made for the upload, unless
 * that has got its files. What cannot be removed at once, or is left by a process that dies, is found by `sweepUploads`.
 */
export const withUploadArea = async <Result>(
  deps: UploadDeps,
  { id, tenant }: { readonly id: string; readonly tenant: string },
  use: (upload: UploadArea) => Promise<Result>,
): Promise<Result> => {
  const { files, uploads, every, log } = deps;
  const created: { id: string | null; context: CommandContext | null } = { id: null, context: null };
  await uploads.hold({ id, tenant, createdId: null }, HELD_MS);
  const renewing = every(RENEW_MS, async () => void (await uploads.renew(id, HELD_MS)));
  const leftForNow = (left: unknown): void =>
    log.warn('an upload is left to the sweep for now', { upload: id, error: (left as Error).message });
  try {
    const result = await use({
      id,
      area: await files.area(id, 'caller'),
      create: (createdId, context) => {
        Object.assign(created, { id: createdId, context });
        return uploads.hold({ id, tenant, createdId }, HELD_MS);
      },
      assertLeaseHeld: async () => {
        if (!(await uploads.renew(id, HELD_MS))) throw new WorkLost('the upload stood still for too long');
      },
    });
    await uploads.release(id).catch(leftForNow);
    return result;
  } catch (error) {
    await removeLeft(deps, { id, tenant, createdId: created.id }, () => unhurried(created.context!))
      .then(() => uploads.release(id))
      .catch(leftForNow);
    throw error;
  } finally {
    renewing.stop();
  }
};

/** For what is to be done whether or not the client still waits. */
const unhurried = (context: CommandContext): CommandContext => {
  const { signal: _, ...kept } = context;
  return kept;
};

/** What a form says beside its files. */
export interface UploadFields {
  readonly name?: string;
  readonly chunkMetadataKeys?: readonly MetadataKey[];
  /** Unix milliseconds, one for each file. */
  readonly lastModified: readonly number[];
}

const MAX_NAME = 200;
const MAX_KEYS = 100;
/** As many as a form has files: fields may come before any file, and each time is copied once per field. */
const MAX_TIMES = 2_000;
/** The farthest that a JavaScript date reaches, either way. */
const MAX_TIME = 8_640_000_000_000_000;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'float', 'date', 'datetime']);

const invalid = (message: string): DomainError => new DomainError('invalid_request', message);

/** Takes one field more. @throws DomainError invalid_request */
export const withField = (fields: UploadFields, name: string, value: string): UploadFields => {
  switch (name) {
    case 'name':
      if (fields.name !== undefined) throw invalid('send name once');
      return { ...fields, name: nameIn(value) };
    case 'chunk_metadata_keys':
      if (fields.chunkMetadataKeys !== undefined) throw invalid('send chunk_metadata_keys once');
      return { ...fields, chunkMetadataKeys: keysIn(value) };
    case 'last_modified':
      return { ...fields, lastModified: longer(fields.lastModified, timesIn(value)) };
    case 'files':
      throw invalid('files must be files: give each part a filename');
    default:
      throw invalid(
        `${shown(name)} is no part of this form: it has name, files, last_modified, chunk_metadata_keys`,
      );
  }
};

const nameIn = (value: string): string => {
  if (value.trim() === '') throw invalid('name must not be blank');
  if (value.length > MAX_NAME) throw invalid(`name must have at most ${MAX_NAME} characters`);
  if (value.includes('\0')) throw invalid('name holds a NUL character');
  return value;
};

/** One time, or a JSON array of them. */
const timesIn = (value: string): readonly number[] => {
  const text = value.trim();
  const times: unknown = text.startsWith('[') ? parsed(text) : integerIn(text);
  const all: readonly unknown[] = Array.isArray(times) ? times : [times];
  if (!all.every(isTime))
    throw invalid('last_modified must be Unix epoch milliseconds, an integer for each file');
  return all;
};

const longer = (times: readonly number[], more: readonly number[]): readonly number[] => {
  if (times.length + more.length > MAX_TIMES)
    throw invalid(`last_modified holds more than ${MAX_TIMES} times: send one for each file`);
  return [...times, ...more];
};

const integerIn = (text: string): number => (/^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN);

const isTime = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Math.abs(value as number) <= MAX_TIME;

const keysIn = (value: string): readonly MetadataKey[] => {
  const keys = value.trim() === '' ? [] : parsed(value);
  if (!Array.isArray(keys) || keys.length > MAX_KEYS || !keys.every(isKey)) {
    throw invalid(
      `chunk_metadata_keys must be a JSON array of at most ${MAX_KEYS} objects with a key of 1 to 200 characters and ` +
        'a type: string, integer, float, date or datetime',
    );
  }
  const names = new Set(keys.map(({ key }) => key));
  if (names.size < keys.length) throw invalid('chunk_metadata_keys names a key twice');
  return keys.map(({ key, type }) => ({ key, type }));
};

const isKey = (value: unknown): value is MetadataKey => {
  if (typeof value !== 'object' || value === null) return false;
  const { key, type, ...more } = value as { readonly [name: string]: unknown };
  if (typeof key !== 'string' || key.trim() === '' || key.length > 200 || key.includes('\0')) return false;
  return key.isWellFormed() && TYPES.has(type) && Object.keys(more).length === 0;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const shown = (name: string): string => JSON.stringify(name.toWellFormed().slice(0, 100));

/** A part of a form as it arrives. */
export type UploadPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | {
      readonly kind: 'file';
      /** As the client wrote it, with or without folders. */
      readonly fileName: string;
      /** As the client claims; absent: it claims nothing. */
      readonly mediaType?: string;
      /** To be read to its end before the next part is asked for. */
      readonly body: AsyncIterable<Uint8Array>;
    };
