import { DomainError } from '../../domain/shared/domain-error.ts';

export const METADATA_TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'integer',
  'float',
  'date',
  'datetime',
]);

export const invalid = (message: string): DomainError => new DomainError('invalid_request', message);

/** Undefined for text that is not JSON. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A name of the caller, as a message repeats it. */
export const shown = (name: string): string => JSON.stringify(name.toWellFormed().slice(0, 100));
