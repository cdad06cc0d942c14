import { openCatalog } from '../catalog/catalog-fixture.ts';
import { describeVectorAccess } from './access-contract.ts';
import { describeVectorIndex } from './vector-index-contract.ts';

describeVectorIndex('in the process', () => openCatalog());

describeVectorAccess('in the process', () => openCatalog(), 12);
