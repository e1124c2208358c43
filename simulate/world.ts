import type { Whence } from '@whence/sdk';
import { PROGRAMS } from './earnings.ts';

/** Who refers the shoppers, and who is paid by what. */
export type World = {
  /** For each referrer, as a visit names them. */
  readonly links: readonly string[];
  /** What was made for the run; undefined where its visits go to collaborators of yours, by programs of yours. */
  readonly made: Made | undefined;
};

export type Made = {
  /** In the order of `PROGRAMS`. */
  readonly programIds: readonly number[];
  /** In the order of `links`. */
  readonly collaborators: readonly { readonly id: number; readonly name: string }[];
};

const NAMES = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Frances', 'Tony', 'Radia', 'Ken'];

/**
 * Programs and collaborators whose names say that they are a simulation's. The programs pay those collaborators alone, so
 * nobody else's balance changes.
 */
export async function makeWorld(whence: Whence, name: string, referrers: number, signal: AbortSignal): Promise<World> {
  const programIds: number[] = [];
  for (const { attribution, percent, autoApprove } of PROGRAMS) {
    const program = {
      name: `Simulation ${name}: ${percent}%, ${attribution}`,
      description: 'Made by `npm run simulate`. None of its visits and orders are real.',
      reward: { type: 'percent', percent },
      attribution,
      autoApprove,
      enrollment: 'selected',
    } as const;
    const { id } = await whence.programs.create(program, { signal });
    programIds.push(id);
  }
  const collaborators: { id: number; name: string }[] = [];
  const links: string[] = [];
  for (let n = 0; n < referrers; n += 1) {
    const collaborator = `Simulated ${NAMES[n] ?? n + 1} (${name})`;
    const code = `${name}-${n + 1}`;
    const body = { name: collaborator, aliases: [{ type: 'tracking', code }] };
    const { id } = await whence.collaborators.create(body, { signal });
    for (const programId of programIds)
      await whence.programs.enrollCollaborator(programId, { collaboratorId: id }, { signal });
    collaborators.push({ id, name: collaborator });
    links.push(`tracking:${code}`);
  }
  return { links, made: { programIds, collaborators } };
}
