import type { EventFilter } from '../../application/ports/event-store.ts';

/** What the server can be asked to leave out: by beginnings of stream names, or by types of events; never by both. */
export type ServerFilter =
  | { readonly on: 'stream'; readonly prefixes: readonly string[] }
  | { readonly on: 'type'; readonly regex: string };

/** The server's own events begin with `$`: statistics, links, stream metadata. They come by the thousand. */
export const NO_SYSTEM_EVENTS = '^[^$]';

/**
 * The nearest that the server can do; `matchesFilter` does the rest here. Types leave out more than categories do. A
 * filter with a stream is not read from the log at all.
 */
export const serverFilter = ({ types, categories }: EventFilter): ServerFilter => {
  if (types !== undefined) return { on: 'type', regex: `^(?:${types.map(escaped).join('|')})$` };
  if (categories !== undefined) return { on: 'stream', prefixes: categories.map((name) => `${name}-`) };
  return { on: 'type', regex: NO_SYSTEM_EVENTS };
};

/** Nothing can match; a filter without alternatives would match everything on the server. */
export const matchesNothing = ({ types, categories, stream }: EventFilter): boolean =>
  types?.length === 0 || categories?.length === 0 || stream?.startsWith('$') === true || stream === '';

/** The characters that are special in JavaScript's and in .NET's regular expressions alike. */
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
