/** A variable that cannot be used; the message names it and says what it takes. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type Environment = { readonly [name: string]: string | undefined };

type ReadNumber = (env: Environment, name: string, fallback: number, least: number, most: number) => number;

const number =
  (form: RegExp, takes: (least: number, most: number) => string): ReadNumber =>
  (env, name, fallback, least, most) => {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    const value = Number(text);
    if (form.test(text) && value >= least && value <= most) return value;
    throw new ConfigError(`${name} takes ${takes(least, most)}, not "${text}"`);
  };

export const integer = number(/^\d+$/, (least, most) => `a whole number from ${least} to ${most}`);

/** A number with at most three decimals. */
export const decimal = number(
  /^\d+(\.\d{1,3})?$/,
  (least, most) => `a number from ${least} to ${most}, such as 0.7`,
);

export const matching = (
  env: Environment,
  name: string,
  fallback: string,
  form: RegExp,
  takes: string,
): string => {
  const text = env[name] || fallback;
  if (form.test(text)) return text;
  throw new ConfigError(`${name} takes ${takes}, not ${JSON.stringify(text.slice(0, 100))}`);
};

export const oneOf = <T extends string>(
  env: Environment,
  name: string,
  values: readonly T[],
  fallback: T,
): T => {
  const text = env[name] || fallback;
  const value = values.find((known) => known === text);
  if (value === undefined) throw new ConfigError(`${name} takes ${values.join(' or ')}, not "${text}"`);
  return value;
};

export const list = (env: Environment, name: string): readonly string[] =>
  (env[name] ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** The value may hold a password: it is never repeated in a message. */
export const url = (env: Environment, name: string, schemes: readonly string[]): string | undefined => {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  const parsed = URL.parse(text);
  if (parsed !== null && schemes.includes(parsed.protocol)) return text;
  if (parsed === null && schemes.some((scheme) => text.startsWith(`${scheme}//`))) {
    throw new ConfigError(
      `${name} is no URL: write special characters in user and password with % (for # write %23), and an IPv6 address ` +
        'in brackets',
    );
  }
  throw new ConfigError(
    `${name} takes a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  );
};
