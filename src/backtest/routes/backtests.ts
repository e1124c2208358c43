import type { Body } from '#core/contract/operation.ts';
import { invalidRequest, type Problem, problem } from '#core/contract/problem.ts';
import { type Answer, answer, type HandlersFor, unchanged } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import { answerLongCsv, slicesOf } from '#platform/http/streams.ts';
import { readNames } from '#platform/postgres/lists/names.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { fieldsOf } from '#programs/routes/programs.ts';
import { showTerms } from '#programs/store/read/programs.ts';
import { storeTerms } from '#programs/store/program-versions.ts';
import { cancelBacktest } from '../commands/cancel-backtest.ts';
import { createBacktest, backtestProgram, type BacktestStart, type GivenDraft } from '../commands/start-backtest.ts';
import type * as contract from '../contract/backtest.ts';
import { MAX_UNFINISHED, type NamedDraft } from '../domain/backtest-run.ts';
import { BACKTEST_COLUMNS, backtestRows } from '../domain/backtest-rows.ts';
import type { StoredDraftResult } from '../domain/stored-result.ts';
import { type Backtest, backtests, backtestSummaries } from '../store/backtests.ts';

/** Returns the handlers for backtests. `canRun` is false if the installation can't run backtests. */
export function backtestHandlers(canRun: boolean): HandlersFor<typeof contract> {
  return {
    backtestProgram: async ({ auth: { author }, tenant, params: { id }, body: { drafts, from, until } }) => {
      if (!canRun) return UNAVAILABLE;
      const given = drafts.map(({ name, collaboratorIds, terms: { renewals, ...terms } }) => {
        return { name, enrolled: collaboratorIds, terms: { ...terms, renewalLimit: renewals } };
      });
      return answerStart(tenant, await backtestProgram(tenant, id, given, { from, until, author }));
    },

    createBacktest: async ({ auth: { author }, tenant, body: { drafts, from, until } }) => {
      if (!canRun) return UNAVAILABLE;
      const given = drafts.map(newDraft);
      return answerStart(tenant, await createBacktest(tenant, given, { from, until, author }));
    },

    listBacktests: (request) => answerPage(request, backtestSummaries),

    getBacktest: async ({ tenant, params: { id } }) => {
      const backtest = await readOne(tenant, backtests, { id });
      return backtest === undefined ? problem('not-found') : answer(200, await show(tenant, backtest));
    },

    exportBacktest: async ({ tenant, params: { id } }) => {
      const backtest = await readOne(tenant, backtests, { id });
      if (backtest === undefined) return problem('not-found');
      const { drafts, result } = backtest;
      if (result === null) return NO_RESULT;
      const nameOf = await findNames(tenant, result.drafts);
      const rows = result.drafts.flatMap((each, index) =>
        backtestRows((drafts[index] as NamedDraft).name, each, nameOf),
      );
      return answerLongCsv(`backtest-${id}.csv`, BACKTEST_COLUMNS, slicesOf(rows), async () => {});
    },

    cancelBacktest: async ({ tenant, params: { id } }) => {
      const canceled = await cancelBacktest(tenant, id);
      switch (canceled.kind) {
        case 'canceled':
          return answer(200, await show(tenant, canceled.backtest));
        case 'unchanged':
          return unchanged(answer(200, await show(tenant, canceled.backtest)));
        case 'unknown':
          return problem('not-found');
        case 'ended':
          return problem('invalid-transition', `The backtest has already ended. Its status is ${canceled.status}.`);
        default:
          return canceled satisfies never;
      }
    },
  };
}

const UNAVAILABLE = problem(
  'backtests-unavailable',
  'Backtests need temporary tables, which a connection pooler in transaction mode doesn’t support. To run backtests, ' +
    'connect the service to PostgreSQL directly, without DATABASE_POOLER=transaction.',
);
const NO_RESULT = problem(
  'invalid-transition',
  'The backtest has no result. Only a backtest with the status succeeded can be exported.',
);

type NewDraft = Body<typeof contract.createBacktest>['drafts'][number];

function newDraft({ name, terms, collaboratorIds }: NewDraft): GivenDraft<ReturnType<typeof fieldsOf>> {
  return { name, terms: fieldsOf(terms), enrolled: collaboratorIds };
}

async function answerStart(tenant: Tenant, started: BacktestStart): Promise<Answer | Problem> {
  switch (started.kind) {
    case 'started':
      return answer(201, await show(tenant, started.backtest));
    case 'unknown':
      return problem('not-found');
    case 'deleted':
      return problem('invalid-transition', 'The program is deleted. Start a backtest of a new program instead.');
    case 'faulty':
      return invalidRequest(started.faults);
    case 'too-many':
      return problem(
        'too-many-backtests',
        `There are already ${MAX_UNFINISHED} backtests that are queued or running. Wait until one of them ends, or ` +
          'cancel it.',
      );
    default:
      return started satisfies never;
  }
}

async function show(tenant: Tenant, { drafts, result, ...backtest }: Backtest): Promise<object> {
  const nameOf = await findNames(tenant, result?.drafts ?? []);
  return {
    ...backtest,
    decided: result?.decided ?? null,
    leftOut: result?.leftOut ?? null,
    drafts: drafts.map(({ name, terms, enrolled }, index) => {
      const found = result?.drafts[index];
      return {
        name,
        terms: showTerms({ ...terms, ...storeTerms(terms) }),
        collaboratorIds: enrolled,
        result: found === undefined ? null : showResult(found, nameOf),
      };
    }),
  };
}

const PPM_PER_PERCENT = 10_000;

function showResult(
  { totals, partners, months, lines, hands, differing }: StoredDraftResult,
  nameOf: (collaboratorId: number) => string,
): object {
  const named = (collaboratorId: number): object => ({ collaboratorId, collaboratorName: nameOf(collaboratorId) });
  return {
    totals: totals.map(({ recordedPpm, draftedPpm, ...total }) => ({
      ...total,
      recordedPercent: recordedPpm === null ? null : recordedPpm / PPM_PER_PERCENT,
      draftedPercent: draftedPpm === null ? null : draftedPpm / PPM_PER_PERCENT,
    })),
    collaborators: partners.map((partner) => ({ ...partner, ...named(partner.collaboratorId) })),
    months,
    lines,
    changedHands: hands.map(({ recordedEarners, draftedEarners, ...sale }) => ({
      ...sale,
      recordedEarners: recordedEarners.map(named),
      draftedEarners: draftedEarners.map(named),
    })),
    differences: differing,
  };
}

/** Returns a function that returns the present names of the collaborators in the results. */
async function findNames(
  tenant: Tenant,
  results: readonly StoredDraftResult[],
): Promise<(collaboratorId: number) => string> {
  const ids = results.flatMap(({ partners, hands }) => [
    ...partners.map(({ collaboratorId }) => collaboratorId),
    ...hands.flatMap(({ recordedEarners, draftedEarners }) => [...recordedEarners, ...draftedEarners]),
  ]);
  const { collaborators } = await readNames(tenant, { collaboratorIds: [...new Set(ids)], programIds: [] });
  return (collaboratorId) => collaborators.get(collaboratorId) ?? String(collaboratorId);
}
