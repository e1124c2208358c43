import { queryOptions } from '@tanstack/react-query';
import type { Collaborator, Program, Whence } from '@whence/sdk';

export function activeProgramsQuery(api: Whence) {
  return queryOptions({
    queryKey: ['programs', 'active'],
    queryFn: ({ signal }) => api.programs.list({ status: 'active', sort: '-id', perPage: 25 }, { signal }).page(),
  });
}

/**
 * Returns the program for the first test sale, or undefined if there is none. A program with open enrollment is
 * preferred, because no partner must be enrolled first.
 */
export function trialProgramOf(programs: readonly Program[] | undefined): Program | undefined {
  return programs?.find(({ enrollment }) => enrollment === 'everyone') ?? programs?.[0];
}

/**
 * Returns the trigger for the test: a visit if the program counts visits, otherwise a coupon, otherwise a custom event.
 * Returns undefined if the program has no triggers.
 */
export function triggerOf({ triggers }: Pick<Program, 'triggers'>): string | undefined {
  return ['site-visit', 'coupon-applied', ...Object.keys(triggers)].find((name) => Object.hasOwn(triggers, name));
}

export function paysLeads({ pays }: Pick<Program, 'pays'>): boolean {
  return pays.includes('lead') && !pays.includes('sale');
}

export function codeOf(collaborator: Collaborator, type: 'tracking' | 'coupon'): string | undefined {
  return collaborator.aliases.find((alias) => alias.type === type)?.code;
}

/** A requirement for a commission that a partner lacks. */
export type Need = { readonly kind: 'coupon'; readonly code: string } | { readonly kind: 'enrollment' };

export function needsQuery(api: Whence, program: Program, collaborator: Collaborator) {
  return queryOptions({
    queryKey: ['programs', program.id, 'needs', collaborator.id, collaborator.aliases],
    queryFn: async ({ signal }): Promise<Need[]> => {
      const needs: Need[] = [];
      if (triggerOf(program) === 'coupon-applied' && codeOf(collaborator, 'coupon') === undefined) {
        needs.push({ kind: 'coupon', code: codeOf(collaborator, 'tracking') ?? `c${collaborator.id}` });
      }
      if (program.enrollment === 'selected') {
        const query = { collaboratorId: collaborator.id, perPage: 1 };
        const { data } = await api.programs.listEnrollments(program.id, query, { signal }).page();
        if (data.length === 0) needs.push({ kind: 'enrollment' });
      }
      return needs;
    },
  });
}

export async function createMissing(api: Whence, need: Need, program: Program, { id }: Collaborator): Promise<void> {
  if (need.kind === 'coupon') await api.collaborators.createAlias(id, { type: 'coupon', code: need.code });
  else await api.programs.enrollCollaborator(program.id, { collaboratorId: id });
}
