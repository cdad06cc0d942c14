import { readFileSync } from 'node:fs';
import type { DomainEvent } from '../../../application/event-sourcing/aggregates.ts';
import { STORED, createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import type { JsonObject } from '../../../application/ports/event-store.ts';

type Examples = { readonly [T in DomainEvent['type']]: readonly Extract<DomainEvent, { type: T }>[] };

export const STORED_EVENTS = new URL('stored-events/', import.meta.url);

/** The data of events as they were stored under a name. */
export const storedExamples = (name: string): readonly JsonObject[] =>
  JSON.parse(readFileSync(new URL(`${name}.json`, STORED_EVENTS), 'utf8')) as JsonObject[];

const { decode } = createEventCodec();

/** The stored events of each type, as the program reads them. */
export const EXAMPLES = Object.fromEntries(
  Object.entries(STORED).map(([type, { name }]) => [
    type,
    storedExamples(name).map((data) => decode({ type: name, data })),
  ]),
) as unknown as Examples;
