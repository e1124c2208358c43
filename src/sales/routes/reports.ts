import type * as couponReportContract from '#tracking/contract/coupon-report.ts';
import type * as customEventReportContract from '#tracking/contract/custom-event-report.ts';
import type * as leadReportContract from '../contract/lead-report.ts';
import type * as refundReportContract from '../contract/refund-report.ts';
import type * as renewalReportContract from '../contract/renewal-report.ts';
import type * as correctionReportContract from '../contract/correction-report.ts';
import type * as reversalReportContract from '../contract/reversal-report.ts';
import type * as saleReportContract from '../contract/sale-report.ts';
import type * as visitReportContract from '#tracking/contract/visit-report.ts';
import type { reportCustomEvent, reportEvent } from '#tracking/contract/custom-event-report.ts';
import type { Body } from '#core/contract/operation.ts';
import { faultAt, type Problem } from '#core/contract/problem.ts';
import type { reportRefund } from '../contract/refund-report.ts';
import type { GivenRefund } from '../domain/refund-report.ts';
import { hashReportKey, type ReportKey } from '#core/report-key.ts';
import { isReportable, MAX_AHEAD_MINUTES } from '#core/occurrence.ts';
import { hostOfReferrer } from '#programs/domain/fraud-list.ts';
import { soldAs } from '#programs/domain/sold-lines.ts';
import { MAX_ENGAGED } from '#tracking/domain/visit.ts';
import type { Answer, HandlersFor, OperationRequest } from '#platform/http/handler.ts';
import { readIdempotencyKey } from '#platform/http/idempotency-key.ts';
import { readOpportunityNumber, type ReportBatches } from './report-batches.ts';
import type { UnknownCodes } from '#collaborators/routes/unknown-codes.ts';
import {
  answerCorrection,
  answerRefund,
  answerRenewal,
  answerReversal,
  answerSale,
  answerSignal,
  answerVisit,
  isUnknownOrInactive,
  UNKNOWN_FOR_PAGES,
  tooManyUnknownCodes,
} from './report-answers.ts';
import type { KeyKind } from '#core/caller.ts';
import type { Auth } from '#core/auth.ts';

/**
 * Returns the handlers of reports. Each report is added to the pending batch of its organization, and is answered once
 * it is durable. `occurredAt` can be at most `lateDays` days ago.
 */
export function reportHandlers(
  batches: ReportBatches,
  unknownCodes: UnknownCodes,
  lateDays: number,
): HandlersFor<
  typeof correctionReportContract &
    typeof couponReportContract &
    typeof customEventReportContract &
    typeof leadReportContract &
    typeof refundReportContract &
    typeof renewalReportContract &
    typeof reversalReportContract &
    typeof saleReportContract &
    typeof visitReportContract
> {
  return {
    reportVisit: async ({ auth, body, bodyBytes, serviceHeader, header, network }) => {
      const read = readKey('site-visited', auth, body, header);
      if (read.kind === 'problem') return read;
      // Ignore the time and the user that a page reports, because publishable keys are public. A browser that could set
      // the time could make its visit the oldest or newest touch.
      const isPage = auth.kind === 'publishable';
      const wait = isPage ? unknownCodes.waitOf(auth.organizationId, network()) : undefined;
      if (wait !== undefined) return tooManyUnknownCodes(wait);
      const occurrence = readOccurrence(isPage ? undefined : body.occurredAt, lateDays);
      if (occurrence.kind === 'problem') return occurrence;
      const userId = (isPage ? undefined : body.userId) ?? null;
      const outcome = await (userId === null ? batches.visits : batches.userVisits).submit(
        auth.organizationId,
        {
          collaborator: body.collaboratorId,
          presented: readOpportunityNumber(serviceHeader('OID')),
          userId,
          occurredAt: occurrence.occurredAt,
          // A secret key is used by a server, whose address differs from the visitor's address.
          network: isPage ? network : null,
          referrer: hostOfReferrer(body.referrer ?? ''),
          key: read.key,
          numbers: auth.opportunityNumbers,
        },
        { lines: 0, bytes: bodyBytes },
      );
      const isUnknown = isUnknownOrInactive(outcome);
      // A visit with the key of another visit is refused for every code, so it counts like an unknown code. Otherwise,
      // its sender could try codes without a limit.
      if (isPage && (isUnknown || outcome.kind === 'other-request')) unknownCodes.count(auth.organizationId, network());
      return isPage && isUnknown ? UNKNOWN_FOR_PAGES : answerVisit(outcome);
    },

    reportCouponApplied: async ({ auth, body, bodyBytes, header }) => {
      const read = readKey('coupon-applied', auth, body, header);
      if (read.kind === 'problem') return read;
      const occurrence = readOccurrence(body.occurredAt, lateDays);
      if (occurrence.kind === 'problem') return occurrence;
      const { occurredAt } = occurrence;
      const { trackingId, code } = body;
      const outcome = await batches.signals.submit(
        auth.organizationId,
        { kind: 'coupon', trackingId, code, occurredAt, key: read.key, numbers: auth.opportunityNumbers },
        { lines: 0, bytes: bodyBytes },
      );
      return answerSignal(outcome, '/code');
    },

    reportCustomEvent: (request) => submitEvent(request, request.body),

    reportEvent: (request) => submitEvent(request, { event: request.params.slug, ...request.body }),

    reportSale: async ({ auth, body, bodyBytes }) => {
      const occurrence = readOccurrence(body.occurredAt, lateDays);
      if (occurrence.kind === 'problem') return occurrence;
      const { occurredAt } = occurrence;
      const { items = [], total, trackingId, couponCodes = [], userId: buyer, ...sale } = body;
      const sold = soldAs({ total, items }, sale.currency);
      const message = { ...sale, ...sold, trackingId, occurredAt, numbers: auth.opportunityNumbers };
      const weight = { lines: sold.lines.length + couponCodes.length, bytes: bodyBytes };
      const userId = (trackingId === null ? buyer : undefined) ?? null;
      const outcome = await (couponCodes.length === 0 && userId === null
        ? batches.sales.submit(auth.organizationId, message, weight)
        : batches.couponSales.submit(auth.organizationId, { ...message, couponCodes, userId }, weight));
      return answerSale(outcome);
    },

    reportLead: async ({ auth, body, bodyBytes }) => {
      const occurrence = readOccurrence(body.occurredAt, lateDays);
      if (occurrence.kind === 'problem') return occurrence;
      const { trackingId, source, externalId } = body;
      const outcome = await batches.leads.submit(
        auth.organizationId,
        {
          source,
          externalId: externalId ?? String(trackingId),
          isUnnamed: externalId === undefined,
          occurredAt: occurrence.occurredAt,
          trackingId,
          numbers: auth.opportunityNumbers,
        },
        { lines: 0, bytes: bodyBytes },
      );
      return answerSale(outcome);
    },

    reportRenewal: async ({ auth, body, bodyBytes, sent }) => {
      const occurrence = readOccurrence(body.occurredAt, lateDays);
      if (occurrence.kind === 'problem') return occurrence;
      const { items = [], total, saleExternalId, saleSource = body.source, ...renewal } = body;
      const outcome = await batches.renewals.submit(
        auth.organizationId,
        {
          ...renewal,
          currency: renewal.currency ?? null,
          occurredAt: occurrence.occurredAt,
          given: { total, items },
          sale: { source: saleSource, externalId: saleExternalId },
          numbers: auth.opportunityNumbers,
        },
        { lines: Math.max(items.length, 1), bytes: bodyBytes },
      );
      return answerRenewal(outcome, body, sent);
    },

    reportRefund: async ({ auth, body, bodyBytes, sent }) => {
      const occurrence = readOccurrence(body.occurredAt, lateDays);
      if (occurrence.kind === 'problem') return occurrence;
      const { occurredAt } = occurrence;
      const { source, externalId, refundId } = body;
      const { opportunityNumbers: numbers } = auth;
      const weight = { lines: body.items?.length ?? 0, bytes: bodyBytes };
      const outcome =
        refundId === undefined
          ? await batches.refunds.submit(auth.organizationId, { source, externalId, occurredAt, numbers }, weight)
          : await batches.namedRefunds.submit(
              auth.organizationId,
              { source, externalId, refundId, occurredAt, given: refundOf(body), numbers },
              weight,
            );
      return answerRefund(outcome, body, sent);
    },

    reportRefundReversal: async ({ auth, body, bodyBytes, sent }) => {
      const occurrence = readOccurrence(body.occurredAt, lateDays);
      if (occurrence.kind === 'problem') return occurrence;
      const outcome = await batches.reversals.submit(
        auth.organizationId,
        { ...body, occurredAt: occurrence.occurredAt, numbers: auth.opportunityNumbers },
        { lines: 0, bytes: bodyBytes },
      );
      return answerReversal(outcome, body, sent);
    },

    reportSaleCorrection: async ({ auth, body, bodyBytes, sent }) => {
      const occurrence = readOccurrence(body.occurredAt, lateDays);
      if (occurrence.kind === 'problem') return occurrence;
      const { items = [], total, ...correction } = body;
      const outcome = await batches.corrections.submit(
        auth.organizationId,
        {
          ...correction,
          occurredAt: occurrence.occurredAt,
          given: { total, items },
          numbers: auth.opportunityNumbers,
        },
        { lines: Math.max(items.length, 1), bytes: bodyBytes },
      );
      return answerCorrection(outcome, body, sent);
    },
  };

  async function submitEvent(
    { auth, header, bodyBytes }: Pick<OperationRequest<typeof reportEvent>, 'auth' | 'header' | 'bodyBytes'>,
    body: CustomEvent,
  ): Promise<Answer | Problem> {
    const read = readKey('custom', auth, body, header);
    if (read.kind === 'problem') return read;
    const occurrence = readOccurrence(body.occurredAt, lateDays);
    if (occurrence.kind === 'problem') return occurrence;
    const { occurredAt } = occurrence;
    const { event, trackingId = null, collaboratorId: collaborator = null } = body;
    const userId = ('userId' in body ? body.userId : undefined) ?? null;
    const outcome = await batches.signals.submit(
      auth.organizationId,
      {
        kind: 'custom',
        trackingId,
        userId,
        event,
        collaborator,
        occurredAt,
        key: read.key,
        numbers: auth.opportunityNumbers,
      },
      // Without a collaborator, the event writes a row for each engaged collaborator.
      { lines: collaborator === null ? MAX_ENGAGED : 0, bytes: bodyBytes },
    );
    return answerSignal(outcome, '/collaboratorId');
  }
}

type CustomEvent = Body<typeof reportCustomEvent> | ({ readonly event: string } & Body<typeof reportEvent>);

/** Returns a report's `occurredAt`, null if it has none, or a problem if it is too far in the past or the future. */
function readOccurrence(
  occurredAt: Date | undefined,
  lateDays: number,
): { readonly kind: 'read'; readonly occurredAt: Date | null } | Problem {
  if (occurredAt === undefined) return { kind: 'read', occurredAt: null };
  if (isReportable(occurredAt, new Date(), lateDays)) return { kind: 'read', occurredAt };
  const detail =
    `This must be at most ${lateDays} days ago and at most ${MAX_AHEAD_MINUTES} minutes ahead of the service’s clock. ` +
    'Omit the field to use the current time.';
  return faultAt('/occurredAt', 'out-of-range', detail);
}

/**
 * Returns the hashes of the Idempotency-Key and of the report's content. Returns null without a key, and a problem for
 * an invalid key. The content excludes the opportunity number in the header, because the opportunity may have been
 * merged. It also excludes `occurredAt` and `referrer`, because a caller may send other values in a retry.
 */
function readKey(
  report: string,
  { kind }: Auth,
  { occurredAt: _, referrer: __, ...body }: { readonly occurredAt?: unknown; readonly referrer?: unknown },
  header: (name: string) => string | undefined,
): { readonly kind: 'read'; readonly key: ReportKey | null } | Problem {
  const key = readIdempotencyKey(header('Idempotency-Key'));
  if (key === undefined) return { kind: 'read', key: null };
  return typeof key === 'string' ? { kind: 'read', key: hashReportKey(senderOf(kind), key, report, body) } : key;
}

/** Returns the kind of key to assume for a caller. A logged-in person counts as a secret key. */
function senderOf(kind: Auth['kind']): KeyKind {
  return kind === 'publishable' ? 'publishable' : 'secret';
}

/** Returns the content of a refund that has a `refundId`. */
function refundOf({ amountMinor, amount = amountMinor, upTo, items }: Body<typeof reportRefund>): GivenRefund {
  if (amount !== undefined) return { kind: 'amount', amount, isUpTo: upTo };
  return items === undefined ? { kind: 'full' } : { kind: 'items', items };
}
