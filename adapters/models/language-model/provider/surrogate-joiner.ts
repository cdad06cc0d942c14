import type { ModelDelta, ModelReasoning } from '../../../../application/ports/language-model.ts';

export type ModelText = ModelDelta | ModelReasoning;

/** Makes the events of a model's texts. None is empty, and none ends inside a surrogate pair, as a token may. */
export const createPieces = () => {
  const joiners = { delta: createSurrogateJoiner(), reasoning: createSurrogateJoiner() };
  return {
    add: (kind: ModelText['kind'], text: string): readonly ModelText[] =>
      piece(kind, joiners[kind].add(text)),
    /** What is left of the answer. */
    end: (): readonly ModelText[] => piece('delta', joiners.delta.end()),
  };
};

const piece = (kind: ModelText['kind'], text: string): readonly ModelText[] =>
  text === '' ? [] : [{ kind, text }];

/** Holds back the first half of a surrogate pair until the second half arrives. */
const createSurrogateJoiner = () => {
  let half = '';
  return {
    add: (text: string): string => {
      const whole = half + text;
      const last = whole.charCodeAt(whole.length - 1);
      const cut = last >= 0xd800 && last <= 0xdbff ? whole.length - 1 : whole.length;
      half = whole.slice(cut);
      return whole.slice(0, cut).toWellFormed();
    },
    end: (): string => half.toWellFormed(),
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
