import { openCatalog } from '../catalog/catalog-fixture.ts';
import { describeVectorIndex } from './vector-index-contract.ts';

describeVectorIndex('in the process', () => openCatalog());
