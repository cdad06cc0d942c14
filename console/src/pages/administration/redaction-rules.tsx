import type { RedactionRule } from 'knowledger-client';
import { useBodySchema } from '../../ui/body-schema.ts';
import { Loaded } from '../../ui/parts.tsx';
import { SchemaForm, type Values } from '../../ui/schema-form.tsx';
import { words } from '../../words.ts';

const { redaction } = words.administration;

const DEPENDS = { pattern: ({ kind }: Values) => (kind === 'pattern' ? 'required' : 'hidden') } as const;

/** The rules of a policy as they are typed. */
export const RedactionRules = ({
  rules,
  change,
}: {
  readonly rules: readonly RedactionRule[];
  readonly change: (rules: readonly RedactionRule[]) => void;
}) => {
  const schema = useBodySchema('RedactionRule');
  return (
    <fieldset className="field picker">
      <legend>{redaction.rules}</legend>
      <Loaded query={schema}>
        {(known) =>
          rules.map((rule, index) => (
            // Rules have no id, and their names change while they are typed.
            <div key={index} className="rule">
              <SchemaForm
                schema={known}
                values={{ ...rule }}
                change={(next) =>
                  change(rules.map((one, i) => (i === index ? (next as unknown as RedactionRule) : one)))
                }
                named={words.fields.redactionRule}
                depends={DEPENDS}
                isWhole
              />
              <button
                type="button"
                className="quiet"
                aria-label={redaction.removeRule}
                onClick={() => change(rules.filter((_, i) => i !== index))}
              >
                ✕
              </button>
            </div>
          ))
        }
      </Loaded>
      <div className="actions">
        <button type="button" onClick={() => change([...rules, { name: '', kind: 'pattern', pattern: '' }])}>
          {redaction.addRule}
        </button>
      </div>
    </fieldset>
  );
};
