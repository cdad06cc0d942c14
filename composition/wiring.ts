import { ContainerModule } from 'inversify';

/**
 * Names a service of type `T` in the container. The value is a symbol. It has the type of a class, because Inversify
 * derives the type of a service from one, and accepts any string or symbol for a service of any type.
 */
export type Token<T> = abstract new () => T;

export const token = <T>(name: string): Token<T> => Symbol(name) as never;

/** The token of each dependency. */
type Needs = Readonly<Record<string, Token<unknown>>>;
/** The services for these needs. */
export type Given<N extends Needs> = {
  readonly [Name in keyof N]: N[Name] extends Token<infer T> ? T : never;
};

/**
 * A module that calls `open` once, when the service is first requested, with one object: a service for each name in
 * `needs`. A service with `close` closes with the container. A missing name, a service of another type, or a
 * superfluous name does not compile.
 */
export const provide = <T extends object, const N extends Needs>(
  service: Token<T>,
  needs: N,
  open: (given: Given<N>) => T,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const names = Object.keys(needs);
    bind(service)
      .toResolvedValue(
        (...services: readonly unknown[]) =>
          open(Object.fromEntries(names.map((name, i) => [name, services[i]])) as Given<N>),
        names.map((name) => needs[name]!),
      )
      .inSingletonScope()
      .onDeactivation(async (opened) => {
        if ('close' in opened && typeof opened.close === 'function') await opened.close();
      });
  });
