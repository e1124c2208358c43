import type { Client } from './client.ts';

export type ShopPlan = {
  /** The request bodies that create the programs. */
  readonly programs: readonly (object & { readonly enrollment?: 'everyone' | 'selected' })[];
  readonly collaborators: readonly { readonly name: string; readonly code: string }[];
};

/**
 * Creates programs and collaborators through the API, and enrolls all collaborators in programs for selected
 * collaborators. Returns the ids of the programs.
 */
export async function openShop(
  { create }: Pick<Client, 'create'>,
  { programs, collaborators }: ShopPlan,
): Promise<number[]> {
  const programIds: number[] = [];
  for (const program of programs) programIds.push(await create('/programs', program));
  for (const { name, code } of collaborators) {
    const collaboratorId = await create('/collaborators', { name, aliases: [{ type: 'tracking', code }] });
    for (const [n, { enrollment }] of programs.entries()) {
      if (enrollment === 'selected') await create(`/programs/${programIds[n]}/collaborators`, { collaboratorId });
    }
  }
  return programIds;
}
