/** Arguments of a call, where they are what they are meant to be: a JSON object. */
export const readArguments = (json: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
};
