import { graphScans, graphsFrom, openGraphCatalog } from './graph-fixture.ts';
import { describeVectorIndex } from './vector-index-contract.ts';

const open = async () => {
  const fixture = await openGraphCatalog();
  const close = async (): Promise<void> => {
    const scans = await graphScans(fixture.db);
    await fixture.close();
    if (scans < 20) throw new Error(`graphs were searched ${scans} times only: the suite has shown nothing`);
  };
  return { ...fixture, close };
};

describeVectorIndex('by a graph', open, { graphs: graphsFrom(0) });
