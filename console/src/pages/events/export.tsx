import { useMutation } from '@tanstack/react-query';
import { useClient } from '../../session.ts';
import { Failure } from '../../ui/parts.tsx';
import { words } from '../../words.ts';
import type { LogQuery } from './log-query.ts';

const FORMATS = ['csv', 'ndjson', 'parquet'] as const;

/** Exactly what is filtered, as a file. */
export const Export = ({ filter }: { readonly filter: LogQuery }) => {
  const client = useClient();
  const save = useMutation({
    mutationFn: async (format: (typeof FORMATS)[number]) => {
      const response = await client.raw('GET', '/events/export', { query: { ...filter, format } });
      const url = URL.createObjectURL(await response.blob());
      const link = document.createElement('a');
      link.href = url;
      link.download = `events.${format}`;
      link.click();
      URL.revokeObjectURL(url);
    },
  });
  return (
    <>
      <label className="inline">
        {words.actions.download}
        <select
          value=""
          disabled={save.isPending}
          onChange={({ target }) => save.mutate(target.value as (typeof FORMATS)[number])}
        >
          <option value="" disabled>
            {words.events.format}
          </option>
          {FORMATS.map((format) => (
            <option key={format} value={format}>
              {format.toUpperCase()}
            </option>
          ))}
        </select>
      </label>
      {save.error !== null && <Failure error={save.error} />}
    </>
  );
};
