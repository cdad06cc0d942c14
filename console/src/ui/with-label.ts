import type { FormWords } from '../words/form-words.ts';

/** What the service says of a field, with the field's label in place of its name in the API. */
export const withLabel = (message: string, named: FormWords): string => {
  const [, name = '', index, within, said] =
    /^(\w+)(?:\[(\d+)\])?(?:\.([\w.[\]]+))?:? (.+)$/s.exec(message) ?? [];
  const label = Object.hasOwn(named, name) ? named[name]?.label : undefined;
  if (label === undefined) return message;
  const place = [label, ...(index === undefined ? [] : [String(Number(index) + 1)])].join(' ');
  return `${[place, ...(within === undefined ? [] : [within])].join(', ')}: ${said}`;
};
