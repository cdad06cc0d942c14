import type { Kind } from '../../kinds.ts';
import type { BodySchema } from '../../ui/schema.ts';
import { SchemaForm, type Values } from '../../ui/schema-form.tsx';
import { words } from '../../words.ts';
import { Schedule } from './schedule.tsx';
import { SecretChoice } from './secret-choice.tsx';

/** The fields of a source, or of its settings (`isWhole`). */
export const SourceFields = ({
  kind: { type },
  ...form
}: {
  readonly kind: Kind;
  readonly schema: BodySchema;
  readonly values: Values;
  readonly change: (values: Values) => void;
  readonly isWhole?: boolean;
}) => (
  <SchemaForm
    {...form}
    named={words.fields.sources[type]}
    first={['secret_id']}
    depends={{
      // The default branch has no name to type.
      reference_param: ({ reference_type: of = 'default' }) => (of === 'default' ? 'hidden' : 'required'),
      // Public repositories alone are read without.
      secret_id: () => (type === 'repo' ? 'optional' : 'required'),
    }}
    controls={{ secret_id: SecretChoice, rrule: Schedule }}
  />
);
