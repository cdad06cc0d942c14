import type { MetadataRecord, MetadataValueType } from '../../../domain/source/events.ts';
import { checkMetadata } from '../documents/check-metadata.ts';
import { invalid, METADATA_TYPES, parsed, shown } from '../field-values.ts';

/** Fields of a document besides its bytes. */
export interface DocumentFields {
  /** Default: the title in the document, or the end of its locator. */
  readonly title?: string;
  /** URL for people. Default: the URL of its bytes in this service. */
  readonly url?: string;
  /** All metadata records; absent: existing records stay. */
  readonly metadata?: readonly MetadataRecord[];
}

const MAX_TITLE = 500;
const MAX_URL = 2_000;
const MAX_RECORDS = 100;
const MAX_KEY = 200;
const MAX_VALUE = 2_000;

/** Adds a field from the query or a form. @throws DomainError invalid_request */
export const withDocumentField = (fields: DocumentFields, name: string, value: string): DocumentFields => {
  if (Object.hasOwn(fields, name)) throw invalid(`send ${name} once`);
  if (value.includes('\0')) throw invalid(`${name} contains a NUL character`);
  switch (name) {
    case 'title':
      return { ...fields, title: titleIn(value) };
    case 'url':
      return { ...fields, url: urlIn(value) };
    case 'metadata':
      return { ...fields, metadata: recordsIn(value) };
    default:
      throw invalid(`${shown(name)} is not a field of a document: the fields are title, url and metadata`);
  }
};

const titleIn = (value: string): string => {
  if (value.trim() === '') throw invalid('title must not be blank: leave it out');
  if (value.length > MAX_TITLE) throw invalid(`title must have at most ${MAX_TITLE} characters`);
  return value;
};

/** People open it, so it must not be anything that a browser executes. */
const urlIn = (value: string): string => {
  if (value.length > MAX_URL) throw invalid(`url must have at most ${MAX_URL} characters`);
  if (!/^https?:\/\/[^\s/?#]\S*$/i.test(value)) throw invalid('url must be an absolute http or https URL');
  return value;
};

const recordsIn = (value: string): readonly MetadataRecord[] => {
  const { records, ...more } = (parsed(value) ?? {}) as { readonly records?: unknown };
  if (!Array.isArray(records) || Object.keys(more).length > 0 || records.length > MAX_RECORDS)
    throw invalid(`metadata must be JSON: {"records": [{"key", "val", "type"}]}, at most ${MAX_RECORDS}`);
  const all = records.map((record: unknown, i): MetadataRecord => {
    if (!isRecord(record))
      throw invalid(
        `record ${i} of metadata must be {"key", "val", "type"}: a key of 1 to ${MAX_KEY} characters, a val of at most ` +
          `${MAX_VALUE}, and as type string (which is the default), integer, float, date or datetime`,
      );
    const { key, val, type = 'string' } = record;
    return { key, val, type };
  });
  checkMetadata(all);
  return all;
};

interface GivenRecord {
  readonly key: string;
  readonly val: string;
  readonly type?: MetadataValueType;
}
const isRecord = (value: unknown): value is GivenRecord => {
  if (typeof value !== 'object' || value === null) return false;
  const { key, val, type = 'string', ...more } = value as { readonly [name: string]: unknown };
  return (
    isText(key, MAX_KEY) &&
    key !== '' &&
    isText(val, MAX_VALUE) &&
    METADATA_TYPES.has(type) &&
    Object.keys(more).length === 0
  );
};
const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length <= most && !value.includes('\0') && value.isWellFormed();

const MAX_CHARACTERS = 2_000;
/** UTF-8 bytes: longer texts do not fit into an index key. */
const MAX_BYTES = 2_500;

/**
 * Checks a locator. It is an opaque name: `../` has no meaning.
 *
 * @throws DomainError invalid_request
 */
export const mustBeLocator = (locator: string): void => {
  if (locator === '') throw invalid('the locator is empty');
  const bytes = new TextEncoder().encode(locator).length;
  if (locator.length > MAX_CHARACTERS || bytes > MAX_BYTES)
    throw invalid(
      `the locator has ${locator.length} characters and ${bytes} bytes of UTF-8: at most ${MAX_CHARACTERS} and ${MAX_BYTES}`,
    );
  if (locator.includes('\0') || !locator.isWellFormed())
    throw invalid('the locator contains NUL or an unpaired surrogate');
};

/** The file name of the document, with the extension that shows its type. */
export const fileNameOf = (locator: string): string => locator.slice(locator.lastIndexOf('/') + 1);
