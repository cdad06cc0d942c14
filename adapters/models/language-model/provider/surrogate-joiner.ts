export interface SurrogateJoiner {
  /** Returns the part of the buffered and new text that can be passed on. */
  readonly add: (text: string) => string;
  /** Returns the rest. */
  readonly end: () => string;
}

/** Holds back the first half of a surrogate pair until the second half arrives: a token may end inside a pair. */
export const createSurrogateJoiner = (): SurrogateJoiner => {
  let half = '';
  return {
    add: (text) => {
      const whole = half + text;
      const last = whole.charCodeAt(whole.length - 1);
      const cut = last >= 0xd800 && last <= 0xdbff ? whole.length - 1 : whole.length;
      half = whole.slice(cut);
      return whole.slice(0, cut).toWellFormed();
    },
    end: () => half.toWellFormed(),
  };
};

/** The arguments of a call; null when they are not a JSON object. */
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
