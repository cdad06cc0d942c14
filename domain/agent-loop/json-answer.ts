/** The JSON that an answer is, alone or in a fence of Markdown, as models like to write it; undefined: it is none. */
export const jsonIn = (answer: string): unknown => {
  const body = answer.trim();
  const inner = /^```(?:json)?\s*\n([^]*)\n\s*```$/.exec(body)?.[1] ?? body;
  try {
    return JSON.parse(inner) as unknown;
  } catch {
    return undefined;
  }
};
