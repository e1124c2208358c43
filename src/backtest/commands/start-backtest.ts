import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import { lockResource } from '#organizations/store/audit.ts';
import { givenFields } from '#platform/changed-fields.ts';
import type { Connection, Database } from '#platform/postgres/database.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import type { ProgramChange } from '#programs/commands/change-program.ts';
import { findProgramFaults, findTotalFaults } from '#programs/commands/program-faults.ts';
import { sortRewards, type TermsFault } from '#programs/domain/program-terms.ts';
import { findReferences } from '#programs/store/program-references.ts';
import { findCurrentProgram, type ProgramFields } from '#programs/store/programs.ts';
import { MAX_UNFINISHED, type NamedDraft } from '../domain/backtest-run.ts';
import {
  type Backtest,
  backtests,
  countUnfinished,
  insertBacktest,
  type NewBacktest,
  removeOldBacktests,
} from '../store/backtests.ts';

/** A draft as a caller describes it. A draft of an existing program can omit unchanged terms. */
export type GivenDraft<Terms> = {
  readonly name: string | undefined;
  readonly terms: Terms;
  readonly enrolled: readonly CollaboratorId[] | undefined;
};

type Request = Pick<NewBacktest, 'from' | 'until' | 'author'>;

/** A fault of a draft. Its pointer begins with the path of the draft in the request. */
export type DraftFault = Pick<TermsFault, 'pointer' | 'code' | 'detail'>;

export type BacktestStart =
  | { readonly kind: 'started'; readonly backtest: Backtest }
  | { readonly kind: 'unknown' | 'deleted' | 'too-many' }
  | { readonly kind: 'faulty'; readonly faults: readonly DraftFault[] };

/** Queues a backtest of drafts of an existing program. A draft is active unless it has another status. */
export function backtestProgram(
  tenant: Tenant<Database>,
  programId: ProgramId,
  given: readonly GivenDraft<ProgramChange>[],
  request: Request,
): Promise<BacktestStart> {
  return inTenantTransaction(tenant, async (tenant): Promise<BacktestStart> => {
    const current = await findCurrentProgram(tenant, programId);
    if (current === undefined) return { kind: 'unknown' };
    if (current.fields.status === 'deleted') return { kind: 'deleted' };
    const drafts = given.map(({ terms, ...draft }) => {
      const changed: Partial<ProgramFields> = sortRewards({ status: 'active', ...givenFields(terms) });
      return { ...draft, changed, terms: { ...current.fields, ...changed } };
    });
    return queue(tenant, drafts, { ...request, programId, programVersion: current.version });
  });
}

/** Queues a backtest of drafts of a program that doesn't exist yet. */
export function createBacktest(
  tenant: Tenant<Database>,
  given: readonly GivenDraft<ProgramFields>[],
  request: Request,
): Promise<BacktestStart> {
  return inTenantTransaction(tenant, (tenant) => {
    const drafts = given.map(({ terms, ...draft }) => ({ ...draft, changed: terms, terms: sortRewards(terms) }));
    return queue(tenant, drafts, { ...request, programId: null, programVersion: null });
  });
}

type MergedDraft = GivenDraft<ProgramFields> & { readonly changed: Partial<ProgramFields> };

/** Queues a backtest. Concurrent calls of an organization run one at a time, so that they can't exceed the limits. */
async function queue(
  tenant: Tenant<Connection>,
  drafts: readonly MergedDraft[],
  request: Omit<NewBacktest, 'drafts'>,
): Promise<BacktestStart> {
  const faults: DraftFault[] = [];
  for (const [index, draft] of drafts.entries()) {
    faults.push(...(await findDraftFaults(tenant, request.programId, index, draft)));
  }
  if (faults.length > 0) return { kind: 'faulty', faults };
  await lockResource(tenant, '/v1/backtests');
  if ((await countUnfinished(tenant)) >= MAX_UNFINISHED) return { kind: 'too-many' };
  await removeOldBacktests(tenant);
  const named = drafts.map(({ name, terms, enrolled }, index): NamedDraft => {
    return { name: name ?? `Draft ${index + 1}`, terms, enrolled: enrolled ?? null };
  });
  const id = await insertBacktest(tenant, { ...request, drafts: named });
  return { kind: 'started', backtest: (await readOne(tenant, backtests, { id })) as Backtest };
}

async function findDraftFaults(
  tenant: Tenant<Connection>,
  programId: ProgramId | null,
  index: number,
  { terms, changed, enrolled = [] }: MergedDraft,
): Promise<DraftFault[]> {
  const found = [
    ...(await findProgramFaults(tenant, terms, changed)),
    ...(await findTotalFaults(tenant, programId, changed)),
  ];
  const known =
    enrolled.length === 0
      ? undefined
      : await findReferences(tenant, { groupIds: [], collaboratorIds: enrolled, slugs: [] });
  return [
    ...found.map((fault) => ({ ...fault, pointer: `/drafts/${index}/terms${fault.pointer}` })),
    ...enrolled.flatMap((id, position) =>
      known?.collaboratorIds.has(id) === true
        ? []
        : [
            {
              pointer: `/drafts/${index}/collaboratorIds/${position}`,
              code: 'unknown-collaborator' as const,
              detail: 'No collaborator has this id. Check the id.',
            },
          ],
    ),
  ];
}
