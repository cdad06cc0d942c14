import { describeVectorAccess } from './access-contract.ts';
import { graphScans, graphsFrom, openGraphCatalog } from './graph-fixture.ts';
import { describeVectorIndex } from './vector-index-contract.ts';

/** Fails at the end where the suite has searched fewer graphs: then it has shown nothing. */
const open = (leastScans: number) => async () => {
  const fixture = await openGraphCatalog();
  const close = async (): Promise<void> => {
    const scans = await graphScans(fixture.db);
    await fixture.close();
    if (scans < leastScans) throw new Error(`graphs were searched ${scans} times only`);
  };
  return { ...fixture, close };
};

describeVectorIndex('by a graph', open(20), { graphs: graphsFrom(0) });
describeVectorAccess('by a graph', open(50), 4, { graphs: graphsFrom(0) });
