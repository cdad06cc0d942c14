import { ContainerModule } from 'inversify';

/**
 * Names a service of type `T` in the container. The value is a symbol; it has the type of a class because Inversify
 * reads the type of a service off one, and takes any string or symbol for a service of any type.
 */
export type Token<T> = abstract new () => T;

export const token = <T>(name: string): Token<T> => Symbol(name) as never;

/** Which service each dependency is. */
type Needs = Readonly<Record<string, Token<unknown>>>;
/** What stands for these needs. */
export type Given<N extends Needs> = {
  readonly [Name in keyof N]: N[Name] extends Token<infer T> ? T : never;
};

/**
 * A module that has `open` called, once, for whoever first needs the service, with one object: a service for each name
 * in `needs`. What has `close` is closed with the container. A missing name, a service of another type and a name too
 * many do not compile.
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
