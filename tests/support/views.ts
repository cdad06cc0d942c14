import { Container } from 'inversify';
import type { Projection } from '../../adapters/postgres/projections/projection.ts';
import { catalogModule } from '../../composition/modules/catalog.ts';
import { TOKENS as T } from '../../composition/tokens.ts';

/** All views that the program is wired with. Texts of documents are not there. */
export const PROJECTIONS: readonly Projection[] = projectionsOfProgram();

function projectionsOfProgram(): readonly Projection[] {
  const container = new Container();
  container.load(catalogModule);
  const area = { read: async () => null };
  container.bind(T.FileAreas).toConstantValue({ area: async () => area } as never);
  return container.get(T.Projections);
}

/** Their names, in alphabetical order. */
export const VIEWS: readonly string[] = PROJECTIONS.map(({ view }) => view).toSorted();

/** Every view, with what is expected of those that are named and the same of all others. */
export const ofEveryView = <T>(others: T, named: { readonly [view: string]: T } = {}) => ({
  ...Object.fromEntries(VIEWS.map((view) => [view, others])),
  ...named,
});
