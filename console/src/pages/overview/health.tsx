import type { ServiceStatus } from 'knowledger-client';
import type { ReactNode } from 'react';
import { bytes, duration } from '../../ui/format.ts';
import { words } from '../../words.ts';

const { health } = words.overview;

/** From here on an operator is warned, as by the alert rules: seconds behind the log, and of waiting. */
const LATE = { lag: 300, queue: 900, webhook_delivery: 3_600 } as const;

/** Stores, views, waiting work and storage, in words, with what needs somebody first seen. */
export const Health = ({
  of: { stores, views, queues = [], knowledge = [], storage, version },
}: {
  readonly of: ServiceStatus;
}) => (
  <dl className="health">
    {stores.map(({ name, product, up, reason }) => (
      <Line key={name} name={health.stores[name]} isGood={up} beside={product}>
        {up ? health.up : health.down(reason ?? '')}
      </Line>
    ))}
    {views === undefined ? (
      <Line name={health.views} isGood={false}>
        {health.unknown}
      </Line>
    ) : (
      <Views of={views} />
    )}
    {queues.map(({ kind, age_seconds: age }) => (
      <Line
        key={kind}
        name={health.queues[kind] ?? kind}
        isGood={age < (kind === 'webhook_delivery' ? LATE.webhook_delivery : LATE.queue)}
      >
        {age === 0 ? health.nothingWaits : health.waits(duration(age * 1_000))}
      </Line>
    ))}
    <Stored of={knowledge} />
    {storage?.database_bytes !== undefined && (
      <Line name={health.storage}>{bytes(storage.database_bytes)}</Line>
    )}
    <Line name={health.version}>{version}</Line>
  </dl>
);

const Stored = ({ of }: { readonly of: NonNullable<ServiceStatus['knowledge']> }) => {
  const stored = of.reduce((sum, { stored_bytes: n = 0 }) => sum + n, 0);
  return stored > 0 && <Line name={health.files}>{bytes(stored)}</Line>;
};

/** Fewer seconds are the time that a batch takes. */
const SOON = 2;

const Views = ({ of }: { readonly of: NonNullable<ServiceStatus['views']> }) => {
  const told = of.flatMap(({ name, halted, lag_seconds: lag = 0 }) =>
    halted || lag >= SOON ? [{ name: name.replaceAll('_', ' '), halted, lag }] : [],
  );
  const unknown = of.some(({ lag_seconds: lag }) => lag === undefined);
  return (
    <Line
      name={health.views}
      isGood={!unknown && told.every(({ halted, lag }) => !halted && lag < LATE.lag)}
      beside={health.viewCount(of.length)}
    >
      {told.length === 0
        ? unknown
          ? health.unknown
          : health.current
        : told.map(({ name, halted, lag }) => (
            <span key={name}>
              {halted ? health.halted(name) : health.behind(name, duration(lag * 1_000))}
            </span>
          ))}
    </Line>
  );
};

/** `isGood`: absent where there is nothing to judge. */
const Line = ({
  name,
  isGood,
  beside,
  children,
}: {
  readonly name: string;
  readonly isGood?: boolean;
  readonly beside?: string;
  readonly children: ReactNode;
}) => (
  <div>
    <dt>
      <span className={`sign ${isGood === undefined ? '' : isGood ? 'good' : 'bad'}`} aria-hidden="true" />
      {name}
    </dt>
    <dd className={isGood === false ? 'bad' : ''}>{children}</dd>
    <dd className="faint">{beside}</dd>
  </div>
);
