import { useState } from 'react';

/**
 * Keeps the values of a form's fields. Returns the values, a function that connects a field with the value of the same
 * name (`<TextField label={texts.note} {...field('note')} />`), and a function that changes some values.
 */
export function useDraft<Draft extends object>(initial: Draft) {
  const [draft, setDraft] = useState(initial);
  const change = (changed: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changed }));
  const field = <Name extends keyof Draft & string>(name: Name) => ({
    name,
    value: draft[name],
    onChange: (value: Draft[Name]) => change({ [name]: value } as unknown as Partial<Draft>),
  });
  return [draft, field, change] as const;
}
