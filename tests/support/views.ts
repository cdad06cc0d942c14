import { Container } from 'inversify';
import { catalogModule } from '../../composition/modules/catalog.ts';
import { TOKENS as T } from '../../composition/tokens.ts';

/** Names of all views that the program is wired with, in alphabetical order. */
export const VIEWS: readonly string[] = namesOf();

function namesOf(): readonly string[] {
  const container = new Container();
  container.load(catalogModule);
  // The catalog is only asked for its name.
  container.bind(T.FileAreas).toConstantValue({} as never);
  return container
    .get(T.Projections)
    .map(({ view }) => view)
    .toSorted();
}

/** Every view, with what is expected of those that are named and the same of all others. */
export const ofEveryView = <T>(others: T, named: { readonly [view: string]: T } = {}) => ({
  ...Object.fromEntries(VIEWS.map((view) => [view, others])),
  ...named,
});
