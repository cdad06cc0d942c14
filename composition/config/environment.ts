/** An unusable variable; the message names it and says which values it takes. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type Environment = { readonly [name: string]: string | undefined };

/**
 * Parses the text of the variable `name`; the text is undefined when the variable is not set or empty.
 *
 * @throws ConfigError
 */
export type Variable<T> = (text: string | undefined, name: string) => T;

type Table = { readonly [name: string]: Variable<unknown> };
export type Values<T extends Table> = { readonly [Name in keyof T]: ReturnType<T[Name]> };

export const readVariable = <T>(env: Environment, name: string, variable: Variable<T>): T =>
  variable(env[name] || undefined, name);

/** @param prefix prefix of the variable names of the table in the environment @throws ConfigError */
export const readVariables = <const T extends Table>(env: Environment, table: T, prefix = ''): Values<T> =>
  Object.fromEntries(
    Object.entries(table).map(([name, variable]) => [name, readVariable(env, prefix + name, variable)]),
  ) as Values<T>;

interface NumberVariable {
  (least: number, most: number, usual: number): Variable<number>;
  (least: number, most: number): Variable<number | undefined>;
}

const number =
  (form: RegExp, takes: (least: number, most: number) => string): NumberVariable =>
  (least: number, most: number, usual?: number) =>
  (text: string | undefined, name: string) => {
    if (text === undefined) return usual as number;
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

interface TextVariable {
  (form: RegExp, takes: string, usual: string): Variable<string>;
  (form: RegExp, takes: string): Variable<string | undefined>;
}

export const matching: TextVariable =
  (form: RegExp, takes: string, usual?: string) => (given: string | undefined, name: string) => {
    const value = given ?? usual;
    if (value === undefined || form.test(value)) return value as string;
    throw new ConfigError(`${name} takes ${takes}, not ${JSON.stringify(value.slice(0, 100))}`);
  };

/** Accepts any text. */
export const text: Variable<string | undefined> = (given) => given;

interface ChoiceVariable {
  <T extends string>(values: readonly T[], usual: T): Variable<T>;
  <T extends string>(values: readonly T[]): Variable<T | undefined>;
}

export const oneOf: ChoiceVariable =
  <T extends string>(values: readonly T[], usual?: T) =>
  (given: string | undefined, name: string) => {
    if (given === undefined) return usual as T;
    const value = values.find((known) => known === given);
    if (value === undefined) throw new ConfigError(`${name} takes ${values.join(' or ')}, not "${given}"`);
    return value;
  };

export const list: Variable<readonly string[]> = (given = '') =>
  given
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** @param refusal message for the first invalid item, which is quoted */
export const listOf =
  (
    fits: (item: string) => boolean,
    refusal: (name: string, shown: string) => string,
  ): Variable<readonly string[]> =>
  (given, name) => {
    const items = list(given, name);
    const wrong = items.find((item) => !fits(item));
    if (wrong === undefined) return items;
    throw new ConfigError(refusal(name, JSON.stringify(wrong.slice(0, 100))));
  };

/** The value may contain a password: messages never repeat it. */
export const url =
  (schemes: readonly string[]): Variable<string | undefined> =>
  (given, name) => {
    if (given === undefined) return undefined;
    const parsed = URL.parse(given);
    if (parsed !== null && schemes.includes(parsed.protocol)) return given;
    const begins = schemes.map((scheme) => `${scheme}//`);
    if (parsed === null && begins.some((scheme) => given.startsWith(scheme)))
      throw new ConfigError(
        `${name} is not a URL: write special characters in user and password with % (for # write %23), and an IPv6 address ` +
          'in brackets',
      );
    throw new ConfigError(`${name} takes a URL that begins with ${begins.join(' or ')}`);
  };

/**
 * An HTTP URL without credentials, query and fragment, because URLs are displayed. `instead` says where a secret
 * belongs.
 */
export const plainUrl =
  (instead: (name: string) => string): Variable<string | undefined> =>
  (given, name) => {
    const base = url(['http:', 'https:'])(given, name);
    if (base === undefined) return undefined;
    const { username, password, search, hash } = new URL(base);
    if (`${username}${password}${search}${hash}` === '') return base;
    throw new ConfigError(`${name} ${instead(name)}`);
  };

/** A value that is valid in an HTTP header. The value is never shown. */
export const secret: Variable<string | undefined> = (given, name) => {
  if (given === undefined || /^[\x21-\x7e]{1,4000}$/.test(given)) return given;
  throw new ConfigError(`${name} takes visible ASCII characters without spaces`);
};
