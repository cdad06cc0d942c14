/** Maximum UTF-8 bytes per UTF-16 unit. */
const MAX_BYTES = 3;

/** JSON in sending order, partly as encoded bytes. */
export interface JsonPieces {
  readonly text: (json: string) => void;
  readonly bytes: (json: Uint8Array) => void;
  /** Returns everything. Must be the last call. */
  readonly take: () => Buffer;
}

/** Encodes consecutive texts together. */
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
