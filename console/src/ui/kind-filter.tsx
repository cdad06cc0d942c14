import { KINDS } from '../kinds.ts';
import { words } from '../words.ts';

/** Chooses one kind of source, or all. */
export const KindFilter = ({
  value = '',
  change,
}: {
  readonly value: string | undefined;
  readonly change: (type: string) => void;
}) => (
  <select aria-label={words.sources.kind} value={value} onChange={({ target }) => change(target.value)}>
    <option value="">{words.sources.allKinds}</option>
    {KINDS.map(({ type }) => (
      <option key={type} value={type}>
        {words.kinds[type]}
      </option>
    ))}
  </select>
);
