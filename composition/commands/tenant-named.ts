import { derivedId } from '../../application/event-sourcing/streams.ts';
import { CORE } from '../modules/core.ts';
import type { Container } from 'inversify';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of the tenant that an operator names, by its id or its name. */
export const tenantNamed = (container: Container, named: string): string =>
  UUID.test(named) ? named : derivedId(container.get(CORE).hash, 'tenant', named);
