const TEXT: unique symbol = Symbol('JSON text');

/**
 * A body that is JSON already, as that of an answer that is so long that to make objects of it costs more than all else.
 * Whoever writes it sees to it that it is what the schema of the answer says.
 */
export const jsonText = (text: string): object => ({ [TEXT]: text });

/** The body as it is sent. */
export const jsonOf = (body: unknown): string =>
  (body as { readonly [TEXT]?: string } | null | undefined)?.[TEXT] ?? JSON.stringify(body);
