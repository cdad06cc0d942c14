import { eventually } from './eventually.ts';
import type { Service } from './service.ts';
import { unusedPort } from './unused-port.ts';

/** An address on loopback that nobody listens on. */
export const unusedAddress = async (): Promise<URL> => new URL(`http://127.0.0.1:${await unusedPort()}`);

/** What the service says of its readiness, and why it is not ready. */
export const readiness = async ({ base }: Pick<Service, 'base'>) => {
  const response = await fetch(`${base}/readyz`);
  const { reasons } = (await response.json()) as { readonly reasons: { readonly [what: string]: string } };
  return { status: response.status, reasons };
};

/** Once it is not ready because of this view: why. */
export const haltOf = async (service: Pick<Service, 'base'>, view: string): Promise<string> => {
  const ask = () => readiness(service);
  const { reasons } = await eventually(ask, (told) => `projection ${view}` in told.reasons);
  return reasons[`projection ${view}`] ?? '';
};

/** What a scrape of the metrics brings. */
export const measured = async (metrics: URL): Promise<string> =>
  (await fetch(new URL('/metrics', metrics))).text();

/** Whether views are measured as halted. */
export const haltedViews = async (metrics: URL): Promise<{ readonly [view: string]: string }> => {
  const lines = (await measured(metrics)).matchAll(
    /knowledger_projection_halted\{[^}]*view="(\w+)"[^}]*\} (\d)/g,
  );
  return Object.fromEntries([...lines].map(([, view, value]) => [view, value]));
};
