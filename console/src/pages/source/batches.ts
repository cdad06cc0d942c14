export interface Upload {
  readonly file: File;
  /** Its name in the group: with the folder that was chosen or dropped. */
  readonly path: string;
  readonly state: 'waiting' | 'sending' | 'stored' | 'failed' | 'canceled';
  /** Bytes. */
  readonly sent: number;
  readonly reason?: string;
  /** Goes in a request of its own, since one with others was refused. */
  readonly isAlone?: boolean;
  /** Cancelled while files were sent, not before. */
  readonly isLeftOut?: boolean;
}

const MOST_FILES = 50;
const MOST_BYTES = 16_000_000;

/** The files of the next request, in their order: few enough that a failure or a cancellation costs little. */
export const nextBatch = (uploads: readonly Upload[]): readonly Upload[] => {
  const [first, ...others] = uploads.filter(({ state }) => state === 'waiting');
  if (first === undefined || first.isAlone === true) return first === undefined ? [] : [first];
  const batch = [first];
  let bytes = first.file.size;
  for (const one of others) {
    bytes += one.file.size;
    if (batch.length === MOST_FILES || bytes > MOST_BYTES || one.isAlone === true) break;
    batch.push(one);
  }
  return batch;
};

/** How much of each file has been sent, of a request that sends them one behind the other. */
export const sentOfEach = (batch: readonly Upload[], sent: number): ReadonlyMap<string, number> => {
  let before = 0;
  return new Map(
    batch.map(({ path, file: { size } }) => {
      const of = Math.min(Math.max(0, sent - before), size);
      before += size;
      return [path, of];
    }),
  );
};
