import { MAX_ID, type OpportunityId, type OrganizationId } from '#core/ids.ts';
import type { OpportunityNumbers } from '#core/opportunity-number.ts';
import type {
  NamedRefundOutcome,
  NamedRefundReport,
  RefundOutcome,
  RefundReport,
  ReportNamedRefunds,
  ReportRefunds,
} from '../commands/report-refunds.ts';
import type { CorrectionOutcome, CorrectionReport, ReportCorrections } from '../commands/report-corrections.ts';
import type { SaleOutcome } from '../commands/record-sales.ts';
import type { CouponSaleReport, ReportCouponSales } from '../commands/report-coupon-sales.ts';
import type { LeadReport, ReportLeads } from '../commands/report-leads.ts';
import type { RenewalOutcome, RenewalReport, ReportRenewals } from '../commands/report-renewals.ts';
import type { ReportReversals, ReversalOutcome, ReversalReport } from '../commands/report-reversals.ts';
import type { ReportSales, SaleReport } from '../commands/report-sales.ts';
import type { ReportSignals, SignalOutcome, SignalReport } from '#tracking/commands/report-signals.ts';
import type { ReportVisits, VisitOutcome, VisitReport } from '#tracking/commands/report-visits.ts';
import { type Batcher, type BatcherOptions, createBatcher, createBatchShares } from '#platform/http/batcher.ts';

/** A reported visit as received, with the public opportunity number instead of the opportunity id. */
export type VisitMessage = Omit<VisitReport, 'presented'> & {
  readonly presented: number | null;
  readonly numbers: OpportunityNumbers;
};
export type SaleMessage = Tracked<SaleReport>;
export type CouponSaleMessage = Tracked<CouponSaleReport>;
export type SignalMessage = Tracked<SignalReport>;
export type LeadMessage = Tracked<LeadReport>;
/** A reported renewal. Renewals and refunds name no opportunity, so their outcomes have the opportunity of the sale. */
export type RenewalMessage = RenewalReport & { readonly numbers: OpportunityNumbers };
export type RefundMessage = RefundReport & { readonly numbers: OpportunityNumbers };
export type NamedRefundMessage = NamedRefundReport & { readonly numbers: OpportunityNumbers };
export type ReversalMessage = ReversalReport & { readonly numbers: OpportunityNumbers };
export type CorrectionMessage = CorrectionReport & { readonly numbers: OpportunityNumbers };

type Tracked<Report> = Report extends unknown
  ? Omit<Report, 'opportunityId'> & {
      readonly trackingId: PublicNumber<Report>;
      readonly numbers: OpportunityNumbers;
    }
  : never;
type PublicNumber<Report> = Report extends { readonly opportunityId: OpportunityId } ? number : number | null;

/** The outcome of a visit, with the public opportunity number instead of the opportunity id. */
export type VisitAnswer = WithNumber<VisitOutcome>;
export type SaleAnswer = WithNumber<SaleOutcome>;
export type SignalAnswer = WithNumber<SignalOutcome>;
export type RenewalAnswer = WithNumber<RenewalOutcome>;
export type RefundAnswer = WithNumber<RefundOutcome>;
export type NamedRefundAnswer = WithNumber<NamedRefundOutcome>;
export type ReversalAnswer = WithNumber<ReversalOutcome>;
export type CorrectionAnswer = WithNumber<CorrectionOutcome>;

export type ReportBatches = {
  readonly visits: Batcher<VisitMessage, VisitAnswer>;
  /**
   * Visits with a user id. They need row locks, so they have a separate batch. All other visits are written in one
   * statement.
   */
  readonly userVisits: Batcher<VisitMessage, VisitAnswer>;
  /** Applied coupons and custom events. */
  readonly signals: Batcher<SignalMessage, SignalAnswer>;
  readonly sales: Batcher<SaleMessage, SaleAnswer>;
  /**
   * Sales with coupon codes, or with a user instead of a referral. They need row locks, so they have a separate batch.
   * All other sales are written in one statement.
   */
  readonly couponSales: Batcher<CouponSaleMessage, SaleAnswer>;
  readonly leads: Batcher<LeadMessage, SaleAnswer>;
  readonly renewals: Batcher<RenewalMessage, RenewalAnswer>;
  readonly refunds: Batcher<RefundMessage, RefundAnswer>;
  /**
   * Refunds with a `refundId`. They are judged under row locks, so they have a separate batch. All other refunds are
   * written in one statement.
   */
  readonly namedRefunds: Batcher<NamedRefundMessage, NamedRefundAnswer>;
  readonly reversals: Batcher<ReversalMessage, ReversalAnswer>;
  readonly corrections: Batcher<CorrectionMessage, CorrectionAnswer>;
  readonly drained: () => Promise<void>;
};

export type ReportKind = 'visit' | 'signal' | 'sale' | 'lead' | 'renewal' | 'refund' | 'reversal' | 'correction';

export type ReportBatchesOptions = {
  readonly reportVisits: ReportVisits;
  readonly reportSignals: ReportSignals;
  readonly reportSales: ReportSales;
  readonly reportCouponSales: ReportCouponSales;
  readonly reportLeads: ReportLeads;
  readonly reportRenewals: ReportRenewals;
  readonly reportRefunds: ReportRefunds;
  readonly reportNamedRefunds: ReportNamedRefunds;
  readonly reportReversals: ReportReversals;
  readonly reportCorrections: ReportCorrections;
  readonly isHarmless: BatcherOptions['isHarmless'];
  readonly isUnresponsive: (error: unknown) => boolean;
  readonly limits?: BatcherOptions['limits'];
  /** The maximum number of concurrent batches of one organization, of all kinds together. */
  readonly batchesOfOrganization: number;
  /** Called with the number of reports in a batch once the batch is durable. */
  readonly onWritten: (kind: ReportKind, reports: number) => void;
};

/**
 * Creates the batches of the reports. Public opportunity numbers and opportunity ids are converted once per batch,
 * because converting one number costs as much as converting a hundred.
 */
export function reportBatches(options: ReportBatchesOptions): ReportBatches {
  const { reportVisits, reportSales, reportRefunds, reportNamedRefunds, onWritten } = options;
  const shares = createBatchShares(options.batchesOfOrganization);
  const batch = <Report, Outcome>(
    kind: ReportKind,
    write: (organizationId: OrganizationId, reports: readonly Report[]) => Promise<readonly (Outcome | undefined)[]>,
  ): Batcher<Report, Outcome> =>
    createBatcher(
      async (organizationId, reports: readonly Report[]) => {
        const outcomes = await write(organizationId, reports);
        onWritten(kind, reports.length);
        return outcomes;
      },
      {
        isHarmless: options.isHarmless,
        isUnresponsive: options.isUnresponsive,
        shares,
        underWay: () => Object.values(batches).reduce((sum, each) => sum + each.waiting(), 0),
        ...(options.limits === undefined ? {} : { limits: options.limits }),
      },
    );

  const writeVisits = async (organizationId: OrganizationId, messages: readonly VisitMessage[]) => {
    const presented = decodeSome(messages, ({ presented }) => presented);
    const reports = messages.map(({ numbers: _, ...report }, n) => ({ ...report, presented: presented[n] ?? null }));
    return numberOutcomes(messages, await reportVisits(organizationId, reports));
  };

  const batches = {
    visits: batch<VisitMessage, VisitAnswer>('visit', writeVisits),
    userVisits: batch<VisitMessage, VisitAnswer>('visit', writeVisits),
    signals: batch<SignalMessage, SignalAnswer>('signal', adaptTrackedReports(options.reportSignals)),
    sales: batch<SaleMessage, SaleAnswer>('sale', adaptTrackedReports(reportSales)),
    couponSales: batch<CouponSaleMessage, SaleAnswer>('sale', adaptTrackedReports(options.reportCouponSales)),
    leads: batch<LeadMessage, SaleAnswer>('lead', adaptTrackedReports(options.reportLeads)),
    renewals: batch<RenewalMessage, RenewalAnswer>('renewal', adaptSaleReports(options.reportRenewals)),
    refunds: batch<RefundMessage, RefundAnswer>('refund', adaptSaleReports(reportRefunds)),
    namedRefunds: batch<NamedRefundMessage, NamedRefundAnswer>('refund', adaptSaleReports(reportNamedRefunds)),
    reversals: batch<ReversalMessage, ReversalAnswer>('reversal', adaptSaleReports(options.reportReversals)),
    corrections: batch<CorrectionMessage, CorrectionAnswer>('correction', adaptSaleReports(options.reportCorrections)),
  };
  return {
    ...batches,
    drained: async () => {
      await Promise.all(Object.values(batches).map((each) => each.drained()));
    },
  };
}

/** Parses the opportunity number in a header. Returns null if the header is missing or invalid. */
export function readOpportunityNumber(text: string | undefined): number | null {
  if (text === undefined || !/^[1-9]\d{0,15}$/.test(text)) return null;
  const number = Number(text);
  return number <= MAX_ID ? number : null;
}

/** Adapts a command that takes opportunity ids to messages that have the public opportunity number `trackingId`. */
function adaptTrackedReports<
  Report extends { readonly opportunityId: OpportunityId | null },
  Outcome extends { readonly kind: string } | undefined,
>(
  report: (
    organizationId: OrganizationId,
    reports: readonly Report[],
    numbers: OpportunityNumbers,
  ) => Promise<readonly Outcome[]>,
) {
  return async (
    organizationId: OrganizationId,
    messages: readonly Tracked<Report>[],
  ): Promise<WithNumber<Outcome>[]> => {
    const ids = decodeSome<TrackedMessage>(messages, ({ trackingId }) => trackingId);
    const reports = messages.map(({ trackingId: _, numbers: __, ...rest }: TrackedMessage, n) => ({
      ...rest,
      opportunityId: ids[n] ?? null,
    }));
    const [first] = messages;
    if (first === undefined) return [];
    return numberOutcomes<Outcome>(
      messages,
      await report(organizationId, reports as unknown as readonly Report[], first.numbers),
    );
  };
}

/**
 * Adapts a command that reports on existing sales to messages from the HTTP layer. Each outcome gets the public
 * opportunity number of its sale.
 */
function adaptSaleReports<Report, Outcome extends { readonly kind: string } | undefined>(
  report: (organizationId: OrganizationId, reports: readonly Report[]) => Promise<readonly Outcome[]>,
) {
  return async (
    organizationId: OrganizationId,
    messages: readonly (Report & Numbered)[],
  ): Promise<WithNumber<Outcome>[]> => {
    const reports = messages.map(({ numbers: _, ...rest }) => rest as unknown as Report);
    return numberOutcomes<Outcome>(messages, await report(organizationId, reports));
  };
}

type Numbered = { readonly numbers: OpportunityNumbers };
type TrackedMessage = Numbered & { readonly trackingId: number | null };

/**
 * Returns the opportunity id for each message's public opportunity number, or undefined if that number is null. All
 * messages of a batch have the same organization, so the first message's `numbers` apply to all.
 */
function decodeSome<Message extends Numbered>(
  messages: readonly Message[],
  numberOf: (message: Message) => number | null,
): (OpportunityId | undefined)[] {
  const given = messages.flatMap((message, n) => {
    const number = numberOf(message);
    return number === null ? [] : [{ n, number }];
  });
  const ids = messages[0]?.numbers.decode(given.map(({ number }) => number)) ?? [];
  const decoded: (OpportunityId | undefined)[] = messages.map(() => undefined);
  for (const [index, { n }] of given.entries()) decoded[n] = ids[index];
  return decoded;
}

/**
 * The outcome of a report, with the public opportunity number instead of the opportunity id. The number is null if the
 * order has no opportunity.
 */
type WithNumber<Outcome> = Outcome extends { readonly kind: infer Kind; readonly opportunityId: infer Id }
  ? { readonly kind: Kind; readonly number: number | (null extends Id ? null : never) }
  : Outcome;

function numberOutcomes<Outcome extends { readonly kind: string } | undefined>(
  messages: readonly Numbered[],
  outcomes: readonly Outcome[],
): WithNumber<Outcome>[] {
  const ids = outcomes.flatMap((outcome) => opportunityOf(outcome) ?? []);
  const numbers = messages[0]?.numbers.encode(ids) ?? [];
  let next = 0;
  return outcomes.map((outcome) => {
    const id = opportunityOf(outcome);
    if (id === undefined) return outcome;
    return { kind: outcome?.kind, number: id === null ? null : numbers[next++] };
  }) as WithNumber<Outcome>[];
}

function opportunityOf(outcome: { readonly kind: string } | undefined): OpportunityId | null | undefined {
  return outcome !== undefined && 'opportunityId' in outcome
    ? (outcome.opportunityId as OpportunityId | null)
    : undefined;
}
