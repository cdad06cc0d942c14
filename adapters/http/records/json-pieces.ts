/** Bytes of UTF-8 for each unit of UTF-16, at most. */
const MAX_BYTES = 3;

/** JSON in the order in which it is sent, some of it as bytes already. */
export interface JsonPieces {
  readonly text: (json: string) => void;
  readonly bytes: (json: Uint8Array) => void;
  /** All of it. The last to be called. */
  readonly take: () => Buffer;
}

/** Texts that follow each other are encoded together. */
export const createJsonPieces = (): JsonPieces => {
  const pieces: (string | Uint8Array)[] = [];
  let most = 0;
  let last = '';
  const close = (): void => {
    if (last === '') return;
    pieces.push(last);
    most += MAX_BYTES * last.length;
    last = '';
  };
  return {
    text: (json) => {
      last += json;
    },
    bytes: (json) => {
      close();
      pieces.push(json);
      most += json.length;
    },
    take: () => {
      close();
      const all = Buffer.allocUnsafe(most);
      let at = 0;
      for (const piece of pieces) {
        if (typeof piece === 'string') at += all.write(piece, at);
        else {
          all.set(piece, at);
          at += piece.length;
        }
      }
      return all.subarray(0, at);
    },
  };
};
