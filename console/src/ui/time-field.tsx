import { inLocalTime } from './format.ts';

/** A field for a moment in the zone of the viewer. An address has it in UTC, so that it means the same to everybody. */
export const TimeField = ({
  label,
  value = '',
  change,
}: {
  readonly label: string;
  readonly value?: string | undefined;
  readonly change: (to: string | undefined) => void;
}) => {
  const at = Date.parse(value);
  return (
    <label className="inline">
      {label}
      <input
        type="datetime-local"
        value={Number.isNaN(at) ? '' : inLocalTime(at / 1_000).replace(/(T\d\d:\d\d):00$/, '$1')}
        onChange={({ target }) =>
          change(target.value === '' ? undefined : new Date(target.value).toISOString())
        }
      />
    </label>
  );
};
