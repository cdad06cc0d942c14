import type { BindWhenOnFluentSyntax, ContainerModuleLoadOptions } from 'inversify';

/**
 * Names a service of type `Service` in the container. The value is a symbol; it has the type of a class because Inversify
 * reads the type of a service off one, and takes any string or symbol for a service of any type.
 */
export type Token<Service> = abstract new () => Service;

/** Which service each dependency of a factory is. */
export type Needs = Readonly<Record<string, Token<unknown>>>;

/** What a factory is given for its needs. */
export type Given<N extends Needs> = { readonly [Name in keyof N]: ServiceOf<N[Name]> };
type ServiceOf<T> = T extends Token<infer Service> ? Service : never;

/** Refuses what the factory does not know: the name of an optional dependency may be mistyped. */
type Known<Make extends (deps: never) => unknown, N> = {
  readonly [Name in Exclude<keyof N, keyof NonNullable<Parameters<Make>[0]>>]: never;
};

export interface Provide {
  /**
   * Has `make` called, once, for whoever needs `token`, with one object: a service for each name in `needs`, and
   * `constants` as they are. A service of another type, a missing name and a name too many do not compile.
   */
  <
    Service,
    N extends Needs,
    Make extends (deps: Given<N> & Constants) => Service,
    const Constants extends object = object,
  >(
    token: Token<Service>,
    make: Make,
    needs: N & Known<Make, N>,
    constants?: Constants & Known<Make, Constants>,
  ): BindWhenOnFluentSyntax<Service>;
}

export const providing =
  (bind: ContainerModuleLoadOptions['bind']): Provide =>
  (token, make, needs, constants) => {
    const names = Object.keys(needs);
    return bind(token)
      .toResolvedValue(
        (...services: readonly unknown[]) =>
          make({ ...constants, ...Object.fromEntries(names.map((name, i) => [name, services[i]])) } as never),
        names.map((name) => needs[name] as Token<unknown>),
      )
      .inSingletonScope();
  };
