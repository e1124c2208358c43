import type { Whence } from '@whence/sdk';
import { PROGRAMS } from './earnings.ts';

/** The referrers of a simulation, and what was created for it. */
export type World = {
  /** The code of each referrer, as visits name them. */
  readonly links: readonly string[];
  /** The resources created for the run; undefined if its visits go to existing collaborators and programs. */
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
 * Creates programs and collaborators whose names show that they belong to a simulation. The programs pay only these
 * collaborators, so no other balance changes.
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
