import { useMemo } from 'react';
import { NotFoundError } from '@whence/sdk';
import { Chooser } from '#web/ui/form/combobox.tsx';
import type { OptionSource } from '#web/ui/form/options.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import type { Filter } from '#web/ui/table/filters.ts';

/** A source of options that loads while the user types, for Combobox and for the lookup filters of FilterBar. */
export type Choices = Required<Pick<OptionSource, 'load' | 'find'>>;

const SHOWN = 20;

/**
 * Returns a source of partners, sorted by name. The typed text can be in the name, the nickname, the email address or a
 * current code.
 */
export function useCollaboratorChoices(): Choices {
  const { collaborators } = useApi();
  return useMemo(
    () => ({
      load: async (text, signal) => (await collaborators.list(queryOf(text), { signal }).page()).data.map(toOption),
      find: (value, signal) => readIfFound(async () => toOption(await collaborators.get(value, { signal }))),
    }),
    [collaborators],
  );
}

/** Returns a source of programs, sorted by name. The typed text can be in the name or the description. */
export function useProgramChoices(): Choices {
  const { programs } = useApi();
  return useMemo(
    () => ({
      load: async (text, signal) => (await programs.list(queryOf(text), { signal }).page()).data.map(toOption),
      find: (value, signal) => readIfFound(async () => toOption(await programs.get(value, { signal }))),
    }),
    [programs],
  );
}

/** Returns a filter by one of the partners of `useCollaboratorChoices`. */
export function partnerFilter(label: string, choices: Choices): Filter {
  return { id: 'partner', kind: 'lookup', chooser: Chooser, name: 'collaboratorId', label, ...choices };
}

/** Returns a filter by one of the programs of `useProgramChoices`. */
export function programFilter(label: string, choices: Choices): Filter {
  return { id: 'program', kind: 'lookup', chooser: Chooser, name: 'programId', label, ...choices };
}

function queryOf(text: string) {
  return { perPage: SHOWN, sort: 'name' as const, ...(text === '' ? {} : { search: text }) };
}

type Named = { readonly id: number; readonly name: string; readonly email?: string | null };

function toOption({ id, name, email = null }: Named) {
  return { value: String(id), label: name, ...(email === null ? {} : { description: email }) };
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
