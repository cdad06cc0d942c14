import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../session.ts';
import { Failure } from '../../ui/parts.tsx';
import { words } from '../../words.ts';
import { fileName } from './file-name.ts';
import type { LogQuery } from './log-query.ts';

const FORMATS = ['csv', 'ndjson', 'parquet'] as const;
type Format = (typeof FORMATS)[number];

/** Exactly what is filtered, as a file. */
export const Export = ({ filter }: { readonly filter: LogQuery }) => {
  const client = useClient();
  const [format, setFormat] = useState<Format>('csv');
  const save = useMutation({
    mutationFn: async () => {
      const response = await client.raw('GET', '/events/export', { query: { ...filter, format } });
      const url = URL.createObjectURL(await response.blob());
      const link = document.createElement('a');
      link.href = url;
      link.download = fileName(filter, format);
      link.click();
      URL.revokeObjectURL(url);
    },
  });
  return (
    <div className="export">
      <select
        aria-label={words.events.format}
        value={format}
        onChange={({ target }) => setFormat(target.value as Format)}
      >
        {FORMATS.map((one) => (
          <option key={one} value={one}>
            {words.events.formats[one]}
          </option>
        ))}
      </select>
      <button type="button" disabled={save.isPending} onClick={() => save.mutate()}>
        {words.actions.download}
      </button>
      {save.error !== null && <Failure error={save.error} />}
    </div>
  );
};
