import type { Body } from '#contract/operation.ts';
import { type Fault, invalidRequest, type Problem, problem } from '#contract/problem.ts';
import type { reportSale } from '#contract/sale-report.ts';
import type { Minor } from '#domain/money.ts';
import { reportKey, type ReportKey } from '#domain/report-key.ts';
import type { Line } from '#domain/reward.ts';
import { soldLines } from '#domain/sold-lines.ts';
import type { Auth } from '../authentication.ts';
import { type Answer, answer, type HandlersFor } from '../handler.ts';
import { readIdempotencyKey } from '../idempotency-key.ts';
import { readOpportunityNumber, type ReportBatches, type SaleAnswer, type SignalAnswer } from '../report-batches.ts';
import { answerRefund, refundRequest } from './refund-answers.ts';

type Reports =
  | 'reportVisit'
  | 'reportCouponApplied'
  | 'reportCustomEvent'
  | 'reportSale'
  | 'reportLead'
  | 'reportRenewal'
  | 'reportRefund';

/** The reports: each goes into the batch of its organization that is waiting, and is answered once it is durable. */
export function eventHandlers(batches: ReportBatches): HandlersFor<Reports> {
  return {
    reportVisit: async ({ auth, body, bodyBytes, serviceHeader, header }) => {
      const read = readKey('site-visited', auth, body, header);
      if (read.kind === 'problem') return read;
      const userId = (auth.kind === 'secret' ? body.userId : undefined) ?? null;
      const outcome = await (userId === null ? batches.visits : batches.userVisits).submit(
        auth.organizationId,
        {
          collaborator: body.collaboratorId,
          presented: readOpportunityNumber(serviceHeader('OID')),
          userId,
          key: read.key,
          numbers: auth.opportunityNumbers,
        },
        { lines: 0, bytes: bodyBytes },
      );
      switch (outcome.kind) {
        case 'recorded':
          return accepted(outcome.number);
        case 'other-request':
          return OTHER_REQUEST;
        case 'unknown-collaborator':
        case 'inactive-collaborator':
          return invalidRequest([collaboratorFault('/collaboratorId', outcome.kind)]);
        default:
          return outcome satisfies never;
      }
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
      return answerSale(outcome, 'Under this source and externalId a sale with other content was reported before.');
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
      return answerSale(outcome, 'Under this source and externalId something else was reported before.');
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
      switch (outcome.kind) {
        case 'recorded':
        case 'repeated':
          return accepted(outcome.number);
        case 'conflict':
          return problem('sale-conflict', 'Under this source and externalId something else was reported before.');
        case 'unknown-sale':
          return problem('sale-not-found', 'No sale was reported under this saleSource and saleExternalId.', {
            members: { source: saleSource, externalId: (sent as { saleExternalId: unknown }).saleExternalId },
          });
        case 'not-a-sale':
          return invalidRequest([
            {
              pointer: '/saleExternalId',
              code: 'not-a-sale',
              detail: 'This is a renewal or a lead: only a sale is renewed.',
            },
          ]);
        default:
          return outcome satisfies never;
      }
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
  return typeof key === 'string' ? { kind: 'read', key: reportKey(kind, key, report, body) } : key;
}

const OTHER_REQUEST = problem('idempotency-mismatch', 'Under this Idempotency-Key something else was reported before.');

function accepted(number: number): Answer {
  return answer(200, undefined, { serviceHeaders: { OID: String(number) } });
}

function answerSale(outcome: SaleAnswer, conflict: string): Answer | Problem {
  switch (outcome.kind) {
    case 'recorded':
    case 'repeated':
      return accepted(outcome.number);
    case 'conflict':
      return problem('sale-conflict', conflict);
    case 'unknown-opportunity':
      return invalidRequest([OPPORTUNITY_FAULT]);
    default:
      return outcome satisfies never;
  }
}

/** `collaborator` is the field that names one. */
function answerSignal(outcome: SignalAnswer, collaborator: string): Answer | Problem {
  switch (outcome.kind) {
    case 'recorded':
      return accepted(outcome.number);
    case 'other-request':
      return OTHER_REQUEST;
    case 'unknown-event':
      return problem('event-not-found', 'No custom event of yours has this slug.');
    case 'refused':
      return invalidRequest(
        outcome.faults.map((fault) =>
          fault === 'unknown-opportunity' ? OPPORTUNITY_FAULT : collaboratorFault(collaborator, fault),
        ),
      );
    default:
      return outcome satisfies never;
  }
}

const OPPORTUNITY_FAULT: Fault = {
  pointer: '/trackingId',
  code: 'unknown-opportunity',
  detail: 'This number was never given out by a visit.',
};

function collaboratorFault(pointer: string, code: 'unknown-collaborator' | 'inactive-collaborator'): Fault {
  const named = pointer === '/code' ? 'code' : 'id or alias';
  const detail =
    code === 'unknown-collaborator' ? `No collaborator has this ${named}.` : 'This collaborator is not active.';
  return { pointer, code, detail };
}

type Item = NonNullable<Body<typeof reportSale>['items']>[number];

function linesOf(items: readonly Item[] | undefined, total: Minor): readonly Line[] {
  const lines = items?.map(({ externalId, ...item }) => ({ externalId: externalId ?? null, ...item }));
  return soldLines(lines ?? [], total);
}
