import { queryOptions } from '@tanstack/react-query';
import type { Collaborator, Program, TestTransactionBody, Whence } from '@whence/sdk';

export function activeProgramsQuery(api: Whence) {
  return queryOptions({
    queryKey: ['programs', 'active'],
    queryFn: ({ signal }) => api.programs.list({ status: 'active', sort: '-id', perPage: 25 }, { signal }).page(),
  });
}

/** Returns the query for the first active partner, whose code is used in the examples. The list can be empty. */
export function firstCollaboratorQuery(api: Whence) {
  return queryOptions({
    queryKey: ['collaborators', 'first'],
    queryFn: async ({ signal }) => {
      const page = await api.collaborators.list({ perPage: 1, sort: 'id', status: 'active' }, { signal }).page();
      return page.data;
    },
  });
}

/**
 * Returns the program for the first test sale, or undefined if there is none. A program with open enrollment is
 * preferred, because no partner must be enrolled first.
 */
export function trialProgramOf(programs: readonly Program[] | undefined): Program | undefined {
  return programs?.find(({ enrollment }) => enrollment === 'everyone') ?? programs?.[0];
}

/** The terms that decide which reports earn a commission. */
export type Terms = Pick<Program, 'currency' | 'triggers' | 'pays' | 'minimumOrder' | 'countedLines' | 'lineFilter'>;

const USUAL_TOTAL = 49_99;

/** Returns the total of a test sale that the program pays for, in hundredths. */
export function usualTotal({ minimumOrder }: Pick<Program, 'minimumOrder'>): number {
  return Math.max(USUAL_TOTAL, minimumOrder ?? 0);
}

/** Returns the amounts of a sale in major units, with lines that the program counts. */
export function saleOf(terms: Terms, total: number) {
  const major = total / 100;
  return { total: major, currency: terms.currency, ...itemsOf(terms, major) };
}

/** Returns the items of the sale. Without items, the sale is one product, which most programs pay for. */
function itemsOf({ lineFilter, countedLines }: Terms, amount: number) {
  const [wanted = {}] = lineFilter?.include ?? [];
  const type = countedLines.includes('product') ? {} : { type: countedLines[0] };
  const item = { ...type, ...wanted };
  if (Object.keys(item).length === 0) return {};
  const name = 'name' in wanted ? String(wanted.name).replaceAll('*', '') : '';
  return { items: [{ ...item, name: name || 'Order', amount }] };
}

/** Returns a test sale that the partner refers and for which the program pays. `total` is in hundredths. */
export function testSaleOf(collaborator: Collaborator, program: Program, total: number): TestTransactionBody {
  const trigger = triggerOf(program);
  const coupon = trigger === 'coupon-applied' ? codeOf(collaborator, 'coupon') : undefined;
  const isCustom = trigger !== undefined && trigger !== 'site-visit' && trigger !== 'coupon-applied';
  return {
    collaboratorId: collaborator.id,
    ...(coupon === undefined ? {} : { couponCode: coupon }),
    ...(isCustom ? { event: trigger } : {}),
    ...(isLeadProgram(program) ? { kind: 'lead' as const } : saleOf(program, total)),
  };
}

/**
 * Returns the trigger for the test: a visit if the program counts visits, otherwise a coupon, otherwise a custom event.
 * Returns undefined if the program has no triggers.
 */
export function triggerOf({ triggers }: Pick<Program, 'triggers'>): string | undefined {
  return ['site-visit', 'coupon-applied', ...Object.keys(triggers)].find((name) => Object.hasOwn(triggers, name));
}

export function isLeadProgram({ pays }: Pick<Program, 'pays'>): boolean {
  return pays.includes('lead') && !pays.includes('sale');
}

export function codeOf(collaborator: Collaborator, type: 'tracking' | 'coupon'): string | undefined {
  return collaborator.aliases.find((alias) => alias.type === type)?.code;
}

/** A requirement that a partner doesn't meet yet, but must meet to earn a commission. */
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
