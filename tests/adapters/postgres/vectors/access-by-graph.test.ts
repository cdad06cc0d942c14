import { describeVectorAccess } from './access-contract.ts';
import { graphScans, graphsFrom, openGraphCatalog } from './graph-fixture.ts';

const open = async () => {
  const fixture = await openGraphCatalog();
  const close = async (): Promise<void> => {
    const scans = await graphScans(fixture.db);
    await fixture.close();
    if (scans < 50) throw new Error(`graphs were searched ${scans} times only: the suite has shown nothing`);
  };
  return { ...fixture, close };
};

describeVectorAccess('by a graph', open, 4, { graphs: graphsFrom(0) });
