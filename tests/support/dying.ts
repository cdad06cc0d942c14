/** The process is gone: nothing that it still tries has any effect. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** Counts what a process does to the world, and kills it before a given step. */
export interface Steps {
  /** Steps so far. */
  count: number;
  /** Before this one, counted from 1, it dies; 0: never. */
  killAt: number;
  dead: boolean;
  /** Is waited for before each step; `name`: of the method that is called. */
  before: (step: number, name: string) => Promise<void>;
}

const nothing = async (): Promise<void> => {};

export const createSteps = (): Steps => ({ count: 0, killAt: 0, dead: false, before: nothing });

/** The same port, of which every call of these methods is a step; all others fail as well once the process is dead. */
export const dying = <Port extends object>(
  port: Port,
  steps: Steps,
  writes: readonly (keyof Port & string)[],
): Port =>
  new Proxy(port, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        if (!steps.dead && writes.includes(name as keyof Port & string)) {
          const step = (steps.count += 1);
          await steps.before(step, String(name));
          if (step === steps.killAt) steps.dead = true;
        }
        if (steps.dead) throw new Killed(`before ${String(name)}`);
        return (method as (...given: readonly unknown[]) => unknown).apply(target, [...args]);
      };
    },
  });
