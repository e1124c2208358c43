import { invalidRequest, type Problem } from '#contract/problem.ts';
import { formatMicroseconds } from '#domain/instant.ts';
import type { Statement } from '#domain/ledger.ts';
import { formatMajor } from '#domain/money.ts';
import type { Database } from '#store/database.ts';
import { readBalances } from '#store/read/balances.ts';
import { type FigureRow, readFigures } from '#store/read/figures.ts';
import { portalConversions } from '#store/read/portal-conversions.ts';
import { portalPayouts } from '#store/read/portal-payouts.ts';
import { MAX_STATEMENT_ENTRIES, readStatements, type StatementEntry } from '#store/read/statements.ts';
import type { Auth } from '../authentication.ts';
import { answerCsv } from '../csv.ts';
import { type Answer, answer, answerFound, type HandlersFor } from '../handler.ts';
import { answerPage } from '../pages.ts';
import { collaboratorOf } from '../session-answers.ts';

/** What a collaborator has earned, as they may see it: their own alone, and nothing of visitors and orders. */
export function portalEarningsHandlers(
  database: Database,
): HandlersFor<
  | 'listPortalConversions'
  | 'getPortalFigures'
  | 'getPortalBalance'
  | 'listPortalPayouts'
  | 'getPortalStatement'
  | 'downloadPortalStatement'
> {
  return {
    listPortalConversions: (request) => answerPage(database, request, portalConversions, { within: own(request) }),

    getPortalFigures: async (request) => {
      const { from, until, by } = request.query;
      const asked = { from, until, by, filters: own(request), limit: MAX_ROWS };
      const { computedAt, rows } = await readFigures(database, request.auth.organizationId, asked);
      return answer(200, { from, until, by, computedAt, rows: rows.map(shownFigure) });
    },

    getPortalBalance: async ({ auth }) =>
      answerFound(await readBalances(database, auth.organizationId, collaboratorOf(auth).collaboratorId)),

    listPortalPayouts: (request) => answerPage(database, request, portalPayouts, { within: own(request) }),

    getPortalStatement: (request) =>
      answerStatements(database, request, ({ from, to }, statements) =>
        answer(200, { from, to, currencies: statements.map(shownStatement) }),
      ),

    downloadPortalStatement: (request) =>
      answerStatements(database, request, (_, statements) =>
        answerCsv('statement.csv', COLUMNS, statements.flatMap(linesOf)),
      ),
  };
}

/** Links at most: a collaborator has fewer. */
const MAX_ROWS = 1_000;

function own({ auth }: { readonly auth: Auth }) {
  return { collaboratorId: collaboratorOf(auth).collaboratorId };
}

/** Revenue is the merchant's to know; what was earned of it is theirs. */
function shownFigure({ day, linkId, code, visits, conversions, amounts }: FigureRow): object {
  const earned = amounts.map(({ currency, earned: amount }) => ({ currency, amount }));
  return { day, linkId, code, visits: visits ?? 0, conversions, earned };
}

type Span = { readonly from: Date | null; readonly to: Date | null };
type Statements = readonly Statement<StatementEntry>[];

async function answerStatements(
  database: Database,
  {
    auth,
    query,
  }: {
    readonly auth: Auth;
    readonly query: { from?: Date | undefined; to?: Date | undefined; currency?: string | undefined };
  },
  show: (span: Span, statements: Statements) => Answer,
): Promise<Answer | Problem> {
  const span = { from: query.from ?? null, to: query.to ?? null };
  const request = { ...span, currency: query.currency ?? null };
  const found = await readStatements(database, auth.organizationId, collaboratorOf(auth).collaboratorId, request);
  switch (found.kind) {
    case 'found':
      return show(span, found.statements);
    case 'no-collaborator':
      throw new Error('whoever has a session is there');
    case 'too-long': {
      const detail = `There are more than ${MAX_STATEMENT_ENTRIES} entries: ask for a shorter span.`;
      return invalidRequest([{ pointer: '/to', code: 'too-many', detail }]);
    }
    default:
      return found satisfies never;
  }
}

function shownStatement({ lines, ...statement }: Statement<StatementEntry>): object {
  return {
    ...statement,
    entries: lines.map(({ id, occurredAt, kind, amount, effect, balance, conversionId, payoutId }) => ({
      id,
      occurredAt: formatMicroseconds(occurredAt),
      kind,
      amount,
      effect,
      balance,
      conversionId,
      payoutId,
    })),
  };
}

const COLUMNS = ['time', 'kind', 'currency', 'amount', 'effect', 'balance', 'conversion', 'payout'];

function linesOf({ currency, opening, closing, lines }: Statement<StatementEntry>): (string | number | null)[][] {
  return [
    [null, 'opening', currency, null, null, formatMajor(opening), null, null],
    ...lines.map(({ occurredAt, kind, amount, effect, balance, conversionId, payoutId }) => [
      formatMicroseconds(occurredAt),
      kind,
      currency,
      formatMajor(amount),
      formatMajor(effect),
      formatMajor(balance),
      conversionId,
      payoutId,
    ]),
    [null, 'closing', currency, null, null, formatMajor(closing), null, null],
  ];
}
