import type { LogEvent } from 'knowledger-client';
import type { EventSearch } from '../../router.tsx';
import { Actor } from '../../ui/actor.tsx';
import { spoken } from '../../ui/format.ts';
import { useEscape } from '../../ui/keys.ts';
import { words } from '../../words.ts';
import { CauseLink, RecordLink, TraceLink } from './links.tsx';
import { Proof } from './proof.tsx';
import { type SetFilter, Values } from './values.tsx';

/** One event, beside the list. */
export const Detail = ({
  event,
  asked,
  set,
  goTo,
  close,
}: {
  readonly event: LogEvent;
  readonly asked: EventSearch;
  readonly set: SetFilter;
  readonly goTo: (position: string) => void;
  readonly close: () => void;
}) => {
  const { data, ...context } = event;
  useEscape(close);
  return (
    <section className="card document" aria-label={spoken(event.type)}>
      <div className="dialog-head">
        <h2>{spoken(event.type)}</h2>
        <button type="button" className="quiet" aria-label={words.actions.close} onClick={close}>
          ✕
        </button>
      </div>
      <p className="actions">
        <button type="button" className="chip" onClick={() => set({ actor: event.actor.id })}>
          {words.events.who} <Actor {...event} />
        </button>
        <RecordLink {...event} />
        <CauseLink event={event} goTo={goTo} only={(cause) => set({ where: JSON.stringify(cause) })} />
      </p>
      <p className="faint">{words.events.valuesHint}</p>
      <h3>{words.events.data}</h3>
      <Values part={data} at="/data" asked={asked} set={set} />
      <h3>{words.events.context}</h3>
      <Values part={context} at="" asked={asked} set={set} />
      {event.trace_id !== null && <TraceLink trace={event.trace_id} />}
      <h3>{words.events.proof}</h3>
      <Proof stream={event.stream} revision={event.revision} />
    </section>
  );
};
