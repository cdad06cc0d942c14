/** Parses the JSON of an answer, which may be in a Markdown code fence; undefined when it is not JSON. */
export const jsonIn = (answer: string): unknown => {
  const body = answer.trim();
  const inner = /^```(?:json)?\s*\n([^]*)\n\s*```$/.exec(body)?.[1] ?? body;
  try {
    return JSON.parse(inner) as unknown;
  } catch {
    return undefined;
  }
};
