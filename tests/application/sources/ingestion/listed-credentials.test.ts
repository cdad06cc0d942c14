import { expect, it } from 'vitest';
import { createListedConnector } from '../../../../application/sources/ingestion/listed/listed-connector.ts';
import type { ListedSource } from '../../../../application/sources/ingestion/listed/listed-source.ts';
import { CredentialsAway, CredentialsRefused } from '../../../../application/ports/secrets.ts';
import type { LocalFileGroupParameters } from '../../../../domain/ingestion-setting/index.ts';

/** Of a job that nothing is known of before. */
const itemStore = { listing: async () => ({ cursor: null, complete: false }) };

const outcomeOf = (why: Error): Promise<unknown> => {
  const opened: unknown[] = [];
  const source = {
    open: async (...args: readonly unknown[]) => {
      opened.push(args[2]);
      throw why;
    },
  } as unknown as ListedSource<LocalFileGroupParameters>;
  const connector = createListedConnector({ itemStore } as never, source);
  const ingestion = {
    job: { tenant: 'acme', dataSourceId: 'd', state: { generation: 1 } },
    parameters: {},
  } as never;
  return connector.run(ingestion, new AbortController().signal).then((outcome) => ({ outcome, opened }));
};

it('a job whose credentials are refused has failed for good, and one whose token cannot be had is tried again', async () => {
  expect(await outcomeOf(new CredentialsRefused('the secret "x" has expired'))).toEqual({
    outcome: {
      kind: 'failed',
      code: 'credentials_rejected',
      error: { title: 'Credentials rejected', message: 'the secret "x" has expired' },
    },
    opened: [{ tenant: 'acme', dataSourceId: 'd', mark: null, afresh: false, known: expect.any(Function) }],
  });
  expect(await outcomeOf(new CredentialsAway('it answers 503'))).toMatchObject({
    outcome: { kind: 'transient', error: { message: 'it answers 503' } },
  });
});
