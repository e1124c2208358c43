import type { KeyKind } from '#domain/api-key.ts';
import type { Body } from '#contract/operation.ts';
import type { Problem } from '#contract/problem.ts';
import type { reportRefund } from '#contract/refund-report.ts';
import type { reportSale } from '#contract/sale-report.ts';
import type { Minor } from '#domain/money.ts';
import type { RefundRequest } from '#domain/refund-report.ts';
import { reportKey, type ReportKey } from '#domain/report-key.ts';
import type { Line } from '#domain/reward.ts';
import { soldLines } from '#domain/sold-lines.ts';
import type { Auth } from '../authentication.ts';
import type { HandlersFor } from '../handler.ts';
import { readIdempotencyKey } from '../idempotency-key.ts';
import { readOpportunityNumber, type ReportBatches } from '../report-batches.ts';
import { answerRefund, answerRenewal, answerSale, answerSignal, answerVisit } from './report-answers.ts';

type Reports =
  | 'reportVisit'
  | 'reportCouponApplied'
  | 'reportCustomEvent'
  | 'reportSale'
  | 'reportLead'
  | 'reportRenewal'
  | 'reportRefund';

/** The reports: each goes into the batch of its organization that is waiting, and is answered once it is durable. */
export function reportHandlers(batches: ReportBatches): HandlersFor<Reports> {
  return {
    reportVisit: async ({ auth, body, bodyBytes, serviceHeader, header, network }) => {
      const read = readKey('site-visited', auth, body, header);
      if (read.kind === 'problem') return read;
      const userId = (auth.kind !== 'publishable' ? body.userId : undefined) ?? null;
      const outcome = await (userId === null ? batches.visits : batches.userVisits).submit(
        auth.organizationId,
        {
          collaborator: body.collaboratorId,
          presented: readOpportunityNumber(serviceHeader('OID')),
          userId,
          // A secret key is a server's: its address is nobody's who clicks.
          network: auth.kind === 'publishable' ? network : null,
          key: read.key,
          numbers: auth.opportunityNumbers,
        },
        { lines: 0, bytes: bodyBytes },
      );
      return answerVisit(outcome);
    },

    reportCouponApplied: async ({ auth, body, bodyBytes, header }) => {
      const read = readKey('coupon-applied', auth, body, header);
      if (read.kind === 'problem') return read;
      const { trackingId, code } = body;
      const outcome = await batches.signals.submit(
        auth.organizationId,
        { kind: 'coupon', trackingId, code, key: read.key, numbers: auth.opportunityNumbers },
        { lines: 0, bytes: bodyBytes },
      );
      return answerSignal(outcome, '/code');
    },

    reportCustomEvent: async ({ auth, body, bodyBytes, header }) => {
      const read = readKey('custom', auth, body, header);
      if (read.kind === 'problem') return read;
      const { trackingId, event, collaboratorId: collaborator = null } = body;
      const outcome = await batches.signals.submit(
        auth.organizationId,
        { kind: 'custom', trackingId, event, collaborator, key: read.key, numbers: auth.opportunityNumbers },
        { lines: 0, bytes: bodyBytes },
      );
      return answerSignal(outcome, '/collaboratorId');
    },

    reportSale: async ({ auth, body, bodyBytes }) => {
      const { items, trackingId, couponCodes = [], ...sale } = body;
      const lines = linesOf(items, sale.total);
      const message = { ...sale, lines, trackingId, numbers: auth.opportunityNumbers };
      const weight = { lines: lines.length + couponCodes.length, bytes: bodyBytes };
      const outcome = await (couponCodes.length === 0
        ? batches.sales.submit(auth.organizationId, message, weight)
        : batches.couponSales.submit(auth.organizationId, { ...message, couponCodes }, weight));
      return answerSale(outcome);
    },

    reportLead: async ({ auth, body: { trackingId, source, externalId }, bodyBytes }) => {
      const outcome = await batches.leads.submit(
        auth.organizationId,
        {
          source,
          externalId: externalId ?? String(trackingId),
          isUnnamed: externalId === undefined,
          trackingId,
          numbers: auth.opportunityNumbers,
        },
        { lines: 0, bytes: bodyBytes },
      );
      return answerSale(outcome);
    },

    reportRenewal: async ({ auth, body, bodyBytes, sent }) => {
      const { items, saleExternalId, saleSource = body.source, ...renewal } = body;
      const lines = linesOf(items, renewal.total);
      const outcome = await batches.renewals.submit(
        auth.organizationId,
        {
          ...renewal,
          currency: renewal.currency ?? null,
          lines,
          sale: { source: saleSource, externalId: saleExternalId },
          numbers: auth.opportunityNumbers,
        },
        { lines: lines.length, bytes: bodyBytes },
      );
      return answerRenewal(outcome, body, sent);
    },

    reportRefund: async ({ auth, body, bodyBytes, sent }) => {
      const { source, externalId, refundId } = body;
      const weight = { lines: body.items?.length ?? 0, bytes: bodyBytes };
      const outcome =
        refundId === undefined
          ? await batches.refunds.submit(auth.organizationId, { source, externalId }, weight)
          : await batches.namedRefunds.submit(
              auth.organizationId,
              { source, externalId, refundId, request: refundRequest(body) },
              weight,
            );
      return answerRefund(outcome, body, sent);
    },
  };
}

/** Its Idempotency-Key with what it reports: not the opportunity in the header, which may be another one by now. */
function readKey(
  report: string,
  { kind }: Auth,
  body: unknown,
  header: (name: string) => string | undefined,
): { readonly kind: 'read'; readonly key: ReportKey | null } | Problem {
  const key = readIdempotencyKey(header('Idempotency-Key'));
  if (key === undefined) return { kind: 'read', key: null };
  return typeof key === 'string' ? { kind: 'read', key: reportKey(senderOf(kind), key, report, body) } : key;
}

/** A person's session acts as a secret key does. */
function senderOf(kind: Auth['kind']): KeyKind {
  return kind === 'publishable' ? 'publishable' : 'secret';
}

type Item = NonNullable<Body<typeof reportSale>['items']>[number];

function linesOf(items: readonly Item[] | undefined, total: Minor): readonly Line[] {
  const lines = items?.map(({ externalId, ...item }) => ({ externalId: externalId ?? null, ...item }));
  return soldLines(lines ?? [], total);
}

/** What a refund with an id of its own asks for. */
function refundRequest({ amount, items }: Body<typeof reportRefund>): RefundRequest {
  if (amount !== undefined) return { kind: 'amount', amount };
  return items === undefined ? { kind: 'full' } : { kind: 'items', items };
}
