import { readOperand } from '../../../domain/filter/value.ts';
import type { MetadataRecord } from '../../../domain/source/events.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';

/** @throws DomainError invalid_request for a value that does not have its type, or a key with two types */
export const checkMetadata = (records: readonly MetadataRecord[]): void => {
  const types = new Map<string, string>();
  for (const { key, val, type } of records) {
    if (readOperand(val, type) === null) {
      throw new DomainError(
        'invalid_request',
        `the value of "${key}" is not a valid ${type}: ${JSON.stringify(val.slice(0, 100))}`,
      );
    }
    if ((types.get(key) ?? type) !== type) {
      throw new DomainError('invalid_request', `"${key}" is given with two types: use one`);
    }
    types.set(key, type);
  }
};
