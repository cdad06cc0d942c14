import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { appendFailure } from '../../../../adapters/postgres/events/append.ts';
import { EventStoreUnavailable, OutcomeUnknown } from '../../../../application/ports/event-store.ts';

const sent = (code: string): Error => Object.assign(new pg.DatabaseError('no', 2, 'error'), { code });

describe('an error that answers an append', () => {
  it('says of a full disk that there is no room', () => {
    const failure = appendFailure(sent('53100'));
    expect(failure).toBeInstanceOf(EventStoreUnavailable);
    expect(failure).toMatchObject({ reason: 'full', message: 'the disk of the event store is full: no' });
  });

  it.each(['53200', '53300', '55P03', '57014', '57P03', '40001', '25006'])(
    'says for %s that the store is away, and nothing was written',
    (code) => {
      expect(appendFailure(sent(code))).toBeInstanceOf(EventStoreUnavailable);
      expect(appendFailure(sent(code))).toMatchObject({ reason: 'unavailable' });
    },
  );

  it.each(['08006', '57P01', '57P02', '57P05'])('says for %s that nobody knows what became of it', (code) => {
    expect(appendFailure(sent(code))).toBeInstanceOf(OutcomeUnknown);
  });
});
