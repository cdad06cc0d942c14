import type { MetadataKey } from '../../../domain/source/metadata-key.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { WorkLost } from '../../jobs/work-handler.ts';
import type { CommandContext } from '../../ports/event-metadata.ts';
import type { FileAreas, LocalFileStore } from '../../ports/file-store.ts';
import type { Clock, Hash, IdSource } from '../../ports/identity.ts';
import type { UploadLeases } from '../../ports/leases.ts';
import type { Logger } from '../../ports/logger.ts';
import { invalid, METADATA_TYPES, parsed, shown } from '../field-values.ts';
import { removeAbandoned } from './sweep-uploads.ts';

export interface UploadDeps {
  readonly execute: Execute;
  readonly files: FileAreas;
  readonly uploads: UploadLeases;
  readonly ids: IdSource;
  readonly hash: Hash;
  readonly clock: Clock;
  readonly log: Logger;
  /** Calls `run` every `ms` until stopped. */
  readonly every: (ms: number, run: () => Promise<void>) => { readonly stop: () => void };
}

const HELD_MS = 60_000;
const RENEW_MS = 20_000;
/** How long before the end of the lease it no longer counts as held, unless the database says so. */
const MARGIN_MS = 5_000;

/** The file area of one upload. */
export interface UploadArea {
  readonly id: string;
  readonly area: LocalFileStore;
  /** From now on, a failure of the upload also deletes this data source. @param context of its deletion */
  readonly create: (dataSourceId: string, context: CommandContext) => Promise<void>;
  /** Call it before the bytes are used. @throws WorkLost if this process was frozen for too long */
  readonly assertLeaseHeld: () => Promise<void>;
}

/**
 * Runs `use` with a new file area. If `use` fails, deletes first the data source that was created for the upload,
 * unless it already has its files, and then the area. `sweepUploads` finds what cannot be deleted at once, and what a
 * dead process leaves behind.
 */
export const withUploadArea = async <Result>(
  deps: UploadDeps,
  { id, tenant }: { readonly id: string; readonly tenant: string },
  use: (upload: UploadArea) => Promise<Result>,
): Promise<Result> => {
  const { files, uploads, every, log, clock } = deps;
  const created: { id: string | null; context: CommandContext | null } = { id: null, context: null };
  let heldAt = clock.now();
  await uploads.hold({ id, tenant, createdId: null }, HELD_MS);
  const renew = async (): Promise<boolean> => {
    const at = clock.now();
    const isHeld = await uploads.renew(id, HELD_MS);
    if (isHeld) heldAt = at;
    return isHeld;
  };
  const renewing = every(RENEW_MS, async () => void (await renew()));
  const logLeftover = (left: unknown): void =>
    log.warn('a failed upload is left to the sweep', { upload: id, error: (left as Error).message });
  try {
    const result = await use({
      id,
      area: await files.area(id, 'caller'),
      create: (createdId, context) => {
        Object.assign(created, { id: createdId, context });
        return uploads.hold({ id, tenant, createdId }, HELD_MS);
      },
      assertLeaseHeld: async () => {
        if (clock.now() - heldAt < HELD_MS - MARGIN_MS || (await renew())) return;
        throw new WorkLost('the upload stalled for too long');
      },
    });
    await uploads.release(id).catch(logLeftover);
    return result;
  } catch (error) {
    await removeAbandoned(deps, { id, tenant, createdId: created.id }, () => withoutSignal(created.context!))
      .then(() => uploads.release(id))
      .catch(logLeftover);
    throw error;
  } finally {
    renewing.stop();
  }
};

/** For commands that must run even if the client has stopped waiting. */
const withoutSignal = (context: CommandContext): CommandContext => {
  const { signal: _, ...kept } = context;
  return kept;
};

/** The fields of a form besides its files. */
export interface UploadFields {
  readonly name?: string;
  readonly chunkMetadataKeys?: readonly MetadataKey[];
  /** Unix milliseconds, one for each file. */
  readonly lastModified: readonly number[];
}

const MAX_NAME = 200;
const MAX_KEYS = 100;
/**
 * As many as a form may have files. Limited because fields may come before any file, and each field copies all earlier
 * times.
 */
const MAX_TIMES = 2_000;
/** The largest absolute value of a JavaScript date. */
const MAX_TIME = 8_640_000_000_000_000;

/** Adds a field. @throws DomainError invalid_request */
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
        `${shown(name)} is not a part of this form: the parts are name, files, last_modified, chunk_metadata_keys`,
      );
  }
};

const nameIn = (value: string): string => {
  if (value.trim() === '') throw invalid('name must not be blank');
  if (value.length > MAX_NAME) throw invalid(`name must have at most ${MAX_NAME} characters`);
  if (value.includes('\0')) throw invalid('name contains a NUL character');
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
  return key.isWellFormed() && METADATA_TYPES.has(type) && Object.keys(more).length === 0;
};

/** A part of a form as it arrives. */
export type UploadPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | {
      readonly kind: 'file';
      /** As the client sent it, with or without folders. */
      readonly fileName: string;
      /** The client's claim; absent: none. */
      readonly mediaType?: string;
      /** Read it to its end before requesting the next part. */
      readonly body: AsyncIterable<Uint8Array>;
    };
