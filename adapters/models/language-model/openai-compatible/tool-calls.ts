import type { ModelToolCall } from '../../../../application/ports/language-model.ts';
import { invalidResponseError } from '../provider/retrying.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A fragment of one call in a chunk. Missing fields were sent before, or never are. */
export interface ToolCallPiece {
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Fragments of `delta.tool_calls`, or calls of a `message` that was not streamed; invalid entries are dropped. */
export const toolCallPieces = (value: unknown): readonly ToolCallPiece[] =>
  !Array.isArray(value)
    ? []
    : value.map(fieldsOf).map(({ index, id, function: called }) => {
        const { name, arguments: given } = fieldsOf(called);
        return {
          index: Number.isSafeInteger(index) ? (index as number) : null,
          id: wordOf(id),
          name: wordOf(name),
          // Some servers send an object instead of its JSON text.
          arguments: typeof given === 'object' && given !== null ? JSON.stringify(given) : wordOf(given),
        };
      });

/** Assembles calls from their fragments, which may be interleaved. */
export interface ToolCallReader {
  /** @throws ProviderError for too many calls */
  readonly push: (pieces: readonly ToolCallPiece[]) => void;
  /** The calls in the order in which they began, each with a unique id. */
  readonly calls: () => readonly ModelToolCall[];
}

const MAX_CALLS = 128;

/**
 * A fragment belongs to the call of its index. Without an index, or with another id at the same index (servers that
 * send each call whole), it begins a new call, unless it has neither id nor name.
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
      if (begun.length > MAX_CALLS)
        throw invalidResponseError(`more than ${MAX_CALLS} calls of tools at once`);
      return;
    }
    open.id ||= piece.id;
    open.name += piece.name === open.name ? '' : piece.name; // some servers repeat it in every fragment
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
