import { useMemo } from 'react';
import { NotFoundError } from '@whence/sdk';
import type { OptionSource } from '#web/ui/form/options.ts';
import { useApi } from '#web/ui/shell/api.tsx';

/** A source of options that loads while the user types, for Combobox and for the lookup filters of FilterBar. */
export type Choices = Required<Pick<OptionSource, 'load' | 'find'>>;

const SHOWN = 20;

/**
 * Returns a source of partners, sorted by name. The typed text can be in the name, the nickname, the email address or a
 * current code.
 */
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
      find: (value, signal) => readIfFound(async () => toOption(await api.collaborators.get(value, { signal }))),
    }),
    [api],
  );
}

/** Returns a source of programs, sorted by name. The typed text can be in the name or the description. */
export function useProgramChoices(): Choices {
  const api = useApi();
  return useMemo(
    () => ({
      load: async (text, signal) => {
        const query = { perPage: SHOWN, sort: 'name' as const, ...(text === '' ? {} : { search: text }) };
        const { data } = await api.programs.list(query, { signal }).page();
        return data.map(toOption);
      },
      find: (value, signal) => readIfFound(async () => toOption(await api.programs.get(value, { signal }))),
    }),
    [api],
  );
}

function toOption({ id, name }: { readonly id: number; readonly name: string }) {
  return { value: String(id), label: name };
}

/**
 * Returns the result of `read`, or undefined if the id is unknown. The id can be from a URL, which can contain any
 * id. Throws all errors except NotFoundError.
 */
async function readIfFound<Found>(read: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
