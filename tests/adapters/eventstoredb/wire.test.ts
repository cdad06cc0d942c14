import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendMessage, readBatchResponse } from '../../../adapters/eventstoredb/append-messages.ts';
import { readMessage, type StoredRecord } from '../../../adapters/eventstoredb/messages.ts';
import type { CheckedEvent } from '../../../application/ports/event-checks.ts';
import { anyCharacter } from '../../support/any-character.ts';

const number64 = fc.oneof(fc.bigInt(0n, 2n ** 64n - 1n), fc.bigInt(0n, 1000n), fc.constant(2n ** 64n - 1n));
const text = fc.string({ unit: anyCharacter });
const bytes = fc.uint8Array({ maxLength: 300 });

const stored = fc.record<StoredRecord>({
  id: fc.uuid(),
  stream: text,
  revision: number64,
  commit: number64,
  prepare: number64,
  type: text,
  contentType: text,
  created: fc.nat().map(String),
  data: bytes,
  metadata: bytes,
});

const uuidOf = (id: string) => {
  const uuid = new shared.UUID();
  uuid.setString(id);
  return uuid;
};

const nameOf = (stream: string) => {
  const name = new shared.StreamIdentifier();
  name.setStreamName(Buffer.from(stream, 'utf8'));
  return name;
};

const recordOf = (of: StoredRecord) => {
  const record = new streams.ReadResp.ReadEvent.RecordedEvent();
  record.setId(uuidOf(of.id));
  record.setStreamIdentifier(nameOf(of.stream));
  record.setStreamRevision(String(of.revision));
  record.setCommitPosition(String(of.commit));
  record.setPreparePosition(String(of.prepare));
  record.setData(of.data);
  record.setCustomMetadata(of.metadata);
  const about = record.getMetadataMap();
  about.set('type', of.type).set('content-type', of.contentType).set('created', of.created);
  about.set('is-newer-than-this', 'yes');
  return record;
};

const frameOf = (fill: (read: InstanceType<typeof streams.ReadResp.ReadEvent>) => void) => {
  const read = new streams.ReadResp.ReadEvent();
  fill(read);
  read.setCommitPosition('7');
  const frame = new streams.ReadResp();
  frame.setEvent(read);
  return frame.serializeBinary();
};

const plain = ({ data, metadata, ...rest }: StoredRecord) => ({
  ...rest,
  data: [...data],
  metadata: [...metadata],
});

describe('answers to reads', () => {
  it('bring records as they were sent', () => {
    fc.assert(
      fc.property(stored, (of) => {
        const { record } = readMessage(frameOf((read) => read.setEvent(recordOf(of))));
        expect(plain(record!)).toEqual(plain(of));
      }),
    );
  });

  it('fail where they are cut off, and never hang', () => {
    fc.assert(
      fc.property(stored, fc.nat(), (of, at) => {
        const whole = frameOf((read) => read.setEvent(recordOf(of)));
        expect(() => readMessage(whole.subarray(0, 1 + (at % (whole.length - 1))))).toThrow(RangeError);
      }),
    );
  });

  it('end at once, whatever their bytes are', () => {
    const isRead = (any: Uint8Array): boolean => {
      try {
        return readMessage(any).record !== undefined;
      } catch (error) {
        return error instanceof Error;
      }
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (any) => {
        expect(isRead(any)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('appends', () => {
  const event = fc.record<CheckedEvent>({
    id: fc.uuid(),
    type: fc.string({ unit: anyCharacter, minLength: 1 }),
    data: fc.oneof(text, fc.string({ minLength: 5_000, maxLength: 6_000 })),
    metadata: text,
    tenant: fc.constant(null),
    bytes: fc.nat(),
  });

  it('are what the generated code reads, at any revision', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.bigInt(-1n, 2n ** 63n - 1n), fc.bigInt(-1n, 300n)),
        fc.array(event, { minLength: 1, maxLength: 4 }),
        fc.uuid(),
        (after, events, id) => {
          const bytesOf = appendMessage({ stream: 'tag-1', after, events });
          const message = streams.BatchAppendReq.deserializeBinary(bytesOf(id));
          const options = message.getOptions()!;
          expect(message.getCorrelationId()!.getString()).toBe(id);
          expect(message.getIsFinal()).toBe(true);
          expect(Buffer.from(options.getStreamIdentifier()!.getStreamName_asU8()).toString()).toBe('tag-1');
          expect(options.hasNoStream()).toBe(after < 0n);
          const position = options.hasStreamPosition() ? options.getStreamPosition() : '-1';
          expect(position).toBe(String(after));
          const sent = message.getProposedMessagesList().map((one) => ({
            id: one.getId()!.getString(),
            type: one.getMetadataMap().get('type'),
            contentType: one.getMetadataMap().get('content-type'),
            data: Buffer.from(one.getData_asU8()).toString(),
            metadata: Buffer.from(one.getCustomMetadata_asU8()).toString(),
          }));
          expect(sent).toEqual(
            events.map(({ id: eventId, type, data, metadata }) => ({
              id: eventId,
              type,
              data,
              metadata,
              contentType: 'application/json',
            })),
          );
        },
      ),
    );
  });
});

describe('answers to appends', () => {
  const answered = (fill: (answer: InstanceType<typeof streams.BatchAppendResp>) => void) => {
    const answer = new streams.BatchAppendResp();
    answer.setCorrelationId(uuidOf('try-1'));
    answer.setStreamIdentifier(nameOf('a-1'));
    fill(answer);
    return readBatchResponse(answer.serializeBinary());
  };

  it('say where the last event lies', () => {
    fc.assert(
      fc.property(number64, number64, number64, (revision, commit, prepare) => {
        const success = new streams.BatchAppendResp.Success();
        success.setCurrentRevision(String(revision));
        const position = new shared.AllStreamPosition();
        position.setCommitPosition(String(commit));
        position.setPreparePosition(String(prepare));
        success.setPosition(position);
        const answer = answered((of) => of.setSuccess(success));
        expect(answer).toEqual({ id: 'try-1', error: null, revision, position: { commit, prepare } });
      }),
    );
  });
});
