import { useMemo } from 'react';
import { NotFoundError } from '@whence/sdk';
import type { OptionSource } from '#web/ui/form/options.ts';
import { useApi } from '#web/ui/shell/api.tsx';

/** Options that load while the user types, for Combobox and for the lookups of FilterBar. */
export type Choices = Required<Pick<OptionSource, 'load' | 'find'>>;

const SHOWN = 20;

/** Returns collaborators whose name, address or code contains the typed text. */
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
      find: (value, signal) => found(async () => labeled(await api.collaborators.get(value, { signal }))),
    }),
    [api],
  );
}

/** Returns programs whose name contains the typed text. */
export function useProgramChoices(): Choices {
  const api = useApi();
  return useMemo(
    () => ({
      load: async (text, signal) => {
        const query = { perPage: SHOWN, sort: 'name' as const, ...(text === '' ? {} : { search: text }) };
        const { data } = await api.programs.list(query, { signal }).page();
        return data.map(labeled);
      },
      find: (value, signal) => found(async () => labeled(await api.programs.get(value, { signal }))),
    }),
    [api],
  );
}

function labeled({ id, name }: { readonly id: number; readonly name: string }) {
  return { value: String(id), label: name };
}

/** Returns the result of `read`, or undefined if the id is unknown. A URL can contain any id. */
async function found<Found>(read: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
