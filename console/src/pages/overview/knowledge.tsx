import { Link } from '@tanstack/react-router';
import type { ServiceStatus } from 'knowledger-client';
import { bytes } from '../../ui/format.ts';
import { Time } from '../../ui/parts.tsx';
import { words } from '../../words.ts';

const { holds } = words.overview;

/** What there is of each kind of source, and how fresh it is. */
export const Knowledge = ({ of }: { readonly of: NonNullable<ServiceStatus['knowledge']> }) => (
  <table className="holds">
    <thead>
      <tr>
        <th scope="col">{words.sources.kind}</th>
        <th scope="col">{holds.sources}</th>
        <th scope="col">{words.sources.documents}</th>
        <th scope="col" className="extra">
          {words.sources.passages}
        </th>
        <th scope="col" className="extra">
          {words.source.counts.bytes}
        </th>
        <th scope="col">{holds.synced}</th>
      </tr>
    </thead>
    <tbody>
      {of.map((kind) => (
        <tr key={kind.source_type}>
          <th scope="row">
            <Link to="/sources" search={{ type: kind.source_type }}>
              {words.kinds[kind.source_type]}
            </Link>
          </th>
          <td>{kind.source_group_count.toLocaleString()}</td>
          <td>{kind.source_count.toLocaleString()}</td>
          <td className="extra">{kind.content_count.toLocaleString()}</td>
          <td className="extra">{kind.stored_bytes !== undefined && bytes(kind.stored_bytes)}</td>
          <td>
            {kind.source_type === 'push' && kind.newest_sync_time === undefined ? (
              <span className="faint">{words.status['managed']}</span>
            ) : (
              <Freshness of={kind} />
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Freshness = ({
  of: { newest_sync_time: newest, oldest_sync_time: oldest, never_synced: never },
}: {
  readonly of: NonNullable<ServiceStatus['knowledge']>[number];
}) => (
  <>
    {newest !== undefined && <Time at={newest} />}
    {oldest !== undefined && oldest !== newest && (
      <span className="faint">
        {holds.stalest} <Time at={oldest} />
      </span>
    )}
    {never > 0 && <span className="faint">{holds.never(never)}</span>}
  </>
);
