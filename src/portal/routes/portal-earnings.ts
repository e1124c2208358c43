import type * as portalEarningsContract from '../contract/portal-earnings.ts';
import type * as portalStatementContract from '../contract/portal-statement.ts';
import { formatMicroseconds } from '#core/instant.ts';
import { formatMajor } from '#core/money.ts';
import { readBalances } from '#ledger/store/read/balances.ts';
import { type FigureRow, readFigures } from '#reporting/store/read/figures.ts';
import { portalConversions } from '../store/read/portal-conversions.ts';
import { portalPayouts } from '../store/read/portal-payouts.ts';
import { answer, answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import { collaboratorOf } from '#access/routes/session-answers.ts';
import {
  answerStatementFile,
  answerStatements,
  type Line,
  type StatementCall,
  type StatementFile,
} from '#ledger/routes/statement-answers.ts';
import type { Auth } from '#core/auth.ts';

/**
 * The handlers of calls that return a collaborator's own earnings. The responses contain no data about visitors or
 * orders.
 */
export const portalEarningsHandlers: HandlersFor<typeof portalEarningsContract & typeof portalStatementContract> = {
  listPortalConversions: (request) => answerPage(request, portalConversions, { within: own(request) }),

  getPortalFigures: async (request) => {
    const { from, until, by } = request.query;
    const asked = { from, until, by, filters: own(request), limit: MAX_ROWS };
    const { computedAt, timeZone, rows } = await readFigures(request.tenant, asked);
    return answer(200, { from, until, by, timeZone, computedAt, rows: rows.map(shownFigure) });
  },

  getPortalBalance: async ({ auth, tenant }) =>
    answerFound(await readBalances(tenant, collaboratorOf(auth).collaboratorId)),

  listPortalPayouts: (request) => answerPage(request, portalPayouts, { within: own(request) }),

  getPortalStatement: (request) => answerStatements(request.tenant.connection, statementCall(request), {}, shownLine),

  downloadPortalStatement: (request) => answerStatementFile(request.tenant.connection, statementCall(request), FILE),
};

/** The maximum number of rows of figures. It exceeds MAX_LINKS, because retired links have figures too. */
const MAX_ROWS = 1_000;

function own({ auth }: { readonly auth: Auth }) {
  return { collaboratorId: collaboratorOf(auth).collaboratorId };
}

/** Returns a row of figures without revenue, which only the merchant can see. */
function shownFigure({ day, linkId, code, visits, conversions, amounts }: FigureRow): object {
  const earned = amounts.map(({ currency, earned: amount }) => ({ currency, amount }));
  return { day, linkId, code, visits: visits ?? 0, conversions, earned };
}

function statementCall({
  auth,
  query,
}: {
  readonly auth: Auth;
  readonly query: StatementCall['query'];
}): StatementCall {
  return { organizationId: auth.organizationId, collaboratorId: collaboratorOf(auth).collaboratorId, query };
}

function shownLine({ id, occurredAt, kind, amount, effect, balance, conversionId, payoutId }: Line): object {
  return { id, occurredAt: formatMicroseconds(occurredAt), kind, amount, effect, balance, conversionId, payoutId };
}

const FILE: StatementFile = {
  name: 'statement.csv',
  columns: ['time', 'kind', 'currency', 'amount', 'effect', 'balance', 'conversion', 'payout'],
  record: ({ occurredAt, kind, currency, amount, effect, balance, conversionId, payoutId }) => [
    formatMicroseconds(occurredAt),
    kind,
    currency,
    formatMajor(amount),
    formatMajor(effect),
    formatMajor(balance),
    conversionId,
    payoutId,
  ],
  frame: (kind, { currency, [kind]: balance }) => [null, kind, currency, null, null, formatMajor(balance), null, null],
};
