import { SourceRefused } from '../../../application/sources/ingestion/listed/listed-source.ts';
import type { Judge } from '../../http-client/refusal.ts';
import { fields } from './objects.ts';

/**
 * What the API means by its answers (its documentation of status codes): 409 is a collision of data that another try may
 * not meet. 403 speaks of what the integration may do at all: what is not shared with it is 404. 429 and 529 ask to
 * wait, and say how long in Retry-After, which the client obeys.
 */
export const judgeWiki: Judge = ({ status, header, json }) => {
  if (status === 409) return { kind: 'fault' };
  if (status === 403 && fields(json)['code'] === 'restricted_resource')
    return { kind: 'refused', error: mayNotRead() };
  return status === 529 && header('retry-after') === null ? { kind: 'wait', ms: null } : undefined;
};

const mayNotRead = (): SourceRefused =>
  new SourceRefused(
    'credentials_rejected',
    'Credentials rejected',
    'the integration may not read content: give it that capability in its settings (403)',
  );
