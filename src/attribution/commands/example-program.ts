import type { CollaboratorId } from '#core/ids.ts';
import { exampleOf, type ImaginedSale, type ImaginedTouch, type ProgramExample } from '../domain/program-example.ts';
import type { TermsFault } from '#programs/domain/program-terms.ts';
import { summarizeTerms } from '#programs/wording/program-words.ts';
import { findCollaboratorNames } from '#collaborators/store/collaborators.ts';
import { type Database, inSnapshot } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { ProgramFields } from '#programs/store/programs.ts';
import { findProgramFaults } from '#programs/commands/program-faults.ts';

/** A fictitious touch. The collaborator's `name` can be undefined if the collaborator has an id. */
export type NamedTouch = Omit<ImaginedTouch, 'collaborator'> & {
  readonly collaborator: Omit<ImaginedTouch['collaborator'], 'name'> & { readonly name: string | undefined };
};

export type ProgramExampleOutcome =
  | ({ readonly kind: 'calculated'; readonly words: readonly string[] } & ProgramExample)
  | { readonly kind: 'faulty'; readonly faults: readonly TermsFault[] };

/**
 * Returns the amounts that a program would pay for a fictitious sale, with a summary of its terms. If the terms are
 * invalid, returns their faults instead. Changes and locks nothing.
 */
export async function exampleProgram(
  { connection, organizationId }: Tenant<Database>,
  fields: ProgramFields,
  sale: ImaginedSale,
  touches: readonly NamedTouch[],
): Promise<ProgramExampleOutcome> {
  const ids = [
    ...fields.collaboratorRewards,
    ...touches.map(({ collaborator }) => ({ collaboratorId: collaborator.id })),
  ];
  const { faults, names } = await inSnapshot(connection, async (connection) => ({
    faults: await findProgramFaults({ connection, organizationId }, fields, fields),
    names: await findCollaboratorNames(
      { connection, organizationId },
      ids.flatMap(({ collaboratorId }) => collaboratorId ?? []),
    ),
  }));
  if (faults.length > 0) return { kind: 'faulty', faults };
  const named = touches.map(({ collaborator, ...touch }): ImaginedTouch => ({
    ...touch,
    collaborator: { ...collaborator, name: collaborator.name ?? nameOf(collaborator.id, names) },
  }));
  const words = summarizeTerms(fields, { kind: 'merchant', names });
  return { kind: 'calculated', words, ...exampleOf(fields, sale, named) };
}

function nameOf(id: CollaboratorId | null, names: ReadonlyMap<CollaboratorId, string>): string {
  return (id === null ? undefined : names.get(id)) ?? `Collaborator ${id}`;
}
