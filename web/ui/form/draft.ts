import { useState } from 'react';

/**
 * Returns a function that connects a field with the value of the same name: `<NumberField {...field('points')} />`. The
 * field's path in the request body is the name after `path`.
 */
export function fieldsOf<Draft extends object>(draft: Draft, change: (changed: Partial<Draft>) => void, path = '') {
  return <Name extends keyof Draft & string>(name: Name) => ({
    name: `${path}${name}`,
    value: draft[name],
    onChange: (value: Draft[Name]) => change({ [name]: value } as unknown as Partial<Draft>),
  });
}

/** Keeps the values of a form. Returns the values, the function of `fieldsOf`, and a function that changes values. */
export function useDraft<Draft extends object>(initial: Draft, path = '') {
  const [draft, setDraft] = useState(initial);
  const change = (changed: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changed }));
  return [draft, fieldsOf(draft, change, path), change] as const;
}
