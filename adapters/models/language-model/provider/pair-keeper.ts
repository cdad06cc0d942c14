export interface PairKeeper {
  /** What may be passed on of this piece and what was held back. */
  readonly add: (text: string) => string;
  /** What is left. */
  readonly end: () => string;
}

/** Holds back the first half of a surrogate pair until its other half has come: tokens may end inside of one. */
export const createPairKeeper = (): PairKeeper => {
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
