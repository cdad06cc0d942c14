import type { ModelToolCall } from '../../../../application/ports/language-model.ts';
import { unreadable } from '../provider/retrying.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One piece of one call, as a chunk brings it. What it leaves out was said before, or never is. */
export interface ToolCallPiece {
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Pieces of `delta.tool_calls`, or calls of a `message` that was not streamed; what is none is left out. */
export const toolCallPieces = (value: unknown): readonly ToolCallPiece[] =>
  !Array.isArray(value)
    ? []
    : value.map(fieldsOf).map(({ index, id, function: called }) => {
        const { name, arguments: given } = fieldsOf(called);
        return {
          index: Number.isSafeInteger(index) ? (index as number) : null,
          id: wordOf(id),
          name: wordOf(name),
          // Some servers send an object where the interface has its text.
          arguments: typeof given === 'object' && given !== null ? JSON.stringify(given) : wordOf(given),
        };
      });

/** Puts calls together from their pieces, which may come in turns. */
export interface ToolCallReader {
  /** @throws ProviderError for more calls than are read */
  readonly push: (pieces: readonly ToolCallPiece[]) => void;
  /** The calls in the order in which they began, each with an id of its own. */
  readonly calls: () => readonly ModelToolCall[];
}

const MAX_CALLS = 128;

/**
 * A piece belongs to the call of its index; where there is none, or where another id begins at the same index, as of
 * servers that send each call whole, it begins a call, unless it brings neither id nor name.
 */
export const createToolCallReader = (): ToolCallReader => {
  const begun: { index: number | null; id: string; name: string; arguments: string }[] = [];

  const put = (piece: ToolCallPiece): void => {
    const open = begun.findLast(({ index }) => index === piece.index);
    const isNew =
      open === undefined ||
      (piece.id !== '' && open.id !== '' && piece.id !== open.id) ||
      (piece.index === null && piece.name !== '');
    if (isNew) {
      begun.push({ ...piece });
      if (begun.length > MAX_CALLS) throw unreadable(`more than ${MAX_CALLS} calls of tools at once`);
      return;
    }
    open.id ||= piece.id;
    open.name += piece.name === open.name ? '' : piece.name; // some repeat it with every piece
    open.arguments += piece.arguments;
  };

  return {
    push: (pieces) => pieces.forEach(put),
    calls: () => {
      const seen = new Set<string>();
      return begun.map(({ id, name, arguments: given }, place) => {
        const own = id === '' || seen.has(id) ? `call_${place + 1}` : id;
        seen.add(own);
        return { id: own, name, arguments: given };
      });
    },
  };
};

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');
