import { useMemo } from 'react';
import { NotFoundError } from '@whence/sdk';
import type { OptionSource } from '#ui/options.ts';
import { useApi } from '#ui/shell/api.tsx';

/** Choices that are asked for as somebody types: what Combobox and the lookups of FilterBar take. */
export type Choices = Required<Pick<OptionSource, 'load' | 'find'>>;

const SHOWN = 20;

/** Collaborators, found by a part of their name, address or code. */
export function useCollaboratorChoices(): Choices {
  const api = useApi();
  return useMemo(
    () => ({
      load: async (text, signal) => {
        const query = { perPage: SHOWN, sort: 'name' as const, ...(text === '' ? {} : { search: text }) };
        const { data } = await api.collaborators.list(query, { signal }).page();
        return data.map(({ id, name, email }) => ({
          value: String(id),
          label: name,
          ...(email === null ? {} : { description: email }),
        }));
      },
      find: (value, signal) => found(async () => labelled(await api.collaborators.get(value, { signal }))),
    }),
    [api],
  );
}

/** Programs, found by a part of their name. */
export function useProgramChoices(): Choices {
  const api = useApi();
  return useMemo(
    () => ({
      load: async (text, signal) => {
        const query = { perPage: SHOWN, sort: 'name' as const, ...(text === '' ? {} : { search: text }) };
        const { data } = await api.programs.list(query, { signal }).page();
        return data.map(labelled);
      },
      find: (value, signal) => found(async () => labelled(await api.programs.get(value, { signal }))),
    }),
    [api],
  );
}

function labelled({ id, name }: { readonly id: number; readonly name: string }) {
  return { value: String(id), label: name };
}

/** An address can name anything. */
async function found<Found>(read: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
