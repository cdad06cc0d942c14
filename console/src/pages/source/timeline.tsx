import { useNavigate } from '@tanstack/react-router';
import type { AuditEntry } from 'knowledger-client';
import type { Kind } from '../../kinds.ts';
import { useMay } from '../../may.tsx';
import { useAddress } from '../../ui/address.ts';
import { Actor } from '../../ui/actor.tsx';
import { spoken, summary } from '../../ui/format.ts';
import { Card, Failure, Loading, Time } from '../../ui/parts.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { TimeField } from '../../ui/time-field.tsx';
import { words } from '../../words.ts';
import { attemptsOf } from './attempts.ts';
import { Gantt, useNow } from './gantt.tsx';
import { type Range, within } from './stretches.ts';
import { useTrail } from './trail.ts';

/** Shown at once; the rest of a trail is in the event explorer. */
const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: words.events.time, width: '11rem', cell: ({ time }) => <Time at={time} exact /> },
  { title: words.events.event, width: 'minmax(9rem, 1fr)', cell: ({ type }) => spoken(type) },
  {
    title: words.sources.state,
    width: '9rem',
    cell: ({ to_status: to }) => words.status[to] ?? to,
    isExtra: true,
  },
  {
    title: words.events.who,
    width: '9rem',
    cell: (entry) => <Actor {...entry} />,
    isExtra: true,
  },
  {
    title: words.events.data,
    width: 'minmax(8rem, 2fr)',
    cell: ({ data }) => (
      <span className="cut faint" title={summary(data)}>
        {summary(data)}
      </span>
    ),
    isExtra: true,
  },
];

const DAY_S = 86_400;
/** Ranges that end now, by their name in an address. */
const LENGTHS = { '24h': DAY_S, '7d': 7 * DAY_S, '30d': 30 * DAY_S } as const;

export const Timeline = ({ kind, id }: { readonly kind: Kind; readonly id: string }) => {
  const { trail, error, isLoading } = useTrail(kind, id);
  const all = attemptsOf(trail);
  const now = useNow(all.some(({ endedAt }) => endedAt === undefined));
  const { asked } = useAddress();
  const navigate = useNavigate();
  const may = useMay();
  const range = rangeIn(asked, now);
  const attempts = within(all, range, now);
  const isIn = ({ time }: AuditEntry): boolean =>
    time >= Math.floor((range.from ?? 0) / 1_000) && time * 1_000 <= (range.to ?? Infinity);
  if (isLoading) return <Loading />;
  return (
    <>
      {error !== null && <Failure error={error} />}
      <Card title={words.source.attempts}>
        <RangeChoice />
        {attempts.length === 0 && trail.length > 0 && <p className="faint">{words.source.noAttempts}</p>}
        <Gantt attempts={attempts} now={now} />
      </Card>
      <Rows
        label={words.source.timeline}
        rows={trail.filter(isIn).toReversed()}
        columns={COLUMNS}
        keyOf={({ revision }) => String(revision)}
        {...(may('audit:read everywhere') && {
          open: ({ position }: AuditEntry) =>
            void navigate({ to: '/events', search: { stream: `dataSource-${id}`, event: position } }),
        })}
      />
    </>
  );
};

type Asked = ReturnType<typeof useAddress>['asked'];

/** A length that ends now, or two moments. */
const rangeIn = ({ from, to }: Asked, now: number): Range => {
  const length = LENGTHS[from as keyof typeof LENGTHS];
  if (length !== undefined) return { from: now - length * 1_000 };
  const [begin, end] = [Date.parse(from ?? ''), Date.parse(to ?? '')];
  return { ...(!Number.isNaN(begin) && { from: begin }), ...(!Number.isNaN(end) && { to: end }) };
};

const RangeChoice = () => {
  const { asked, set } = useAddress();
  const { from, to } = asked;
  const isLength = from !== undefined && from in LENGTHS;
  const isChosen = !isLength && (from !== undefined || to !== undefined);
  const choose = (value: string): void => {
    const chosen = value === 'chosen' ? new Date(Date.now() - DAY_S * 1_000).toISOString() : value;
    set({ from: chosen === '' ? undefined : chosen, to: undefined });
  };
  return (
    <div className="filters">
      <select
        aria-label={words.source.range}
        value={isLength ? from : isChosen ? 'chosen' : ''}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="">{words.source.ranges.all}</option>
        {(Object.keys(LENGTHS) as (keyof typeof LENGTHS)[]).map((name) => (
          <option key={name} value={name}>
            {words.source.ranges[name]}
          </option>
        ))}
        <option value="chosen">{words.source.ranges.chosen}</option>
      </select>
      {isChosen && (
        <>
          <TimeField label={words.events.from} value={from} change={(at) => set({ from: at })} />
          <TimeField label={words.events.to} value={to} change={(at) => set({ to: at })} />
        </>
      )}
    </div>
  );
};
