import { openCatalog } from '../catalog/catalog-fixture.ts';
import { describeVectorAccess } from './access-contract.ts';

describeVectorAccess('in the process', () => openCatalog(), 12);
