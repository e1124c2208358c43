import { MAX_ID, type OpportunityId, type OrganizationId } from '#domain/ids.ts';
import type { OpportunityNumbers } from '#domain/opportunity-number.ts';
import type {
  NamedRefundOutcome,
  NamedRefundReport,
  RefundOutcome,
  RefundReport,
  ReportNamedRefunds,
  ReportRefunds,
} from '#operations/report-refunds.ts';
import type { SaleOutcome } from '#operations/record-sales.ts';
import type { CouponSaleReport, ReportCouponSales } from '#operations/report-coupon-sales.ts';
import type { LeadReport, ReportLeads } from '#operations/report-leads.ts';
import type { RenewalOutcome, RenewalReport, ReportRenewals } from '#operations/report-renewals.ts';
import type { ReportSales, SaleReport } from '#operations/report-sales.ts';
import type { ReportSignals, SignalOutcome, SignalReport } from '#operations/report-signals.ts';
import type { ReportVisits, VisitOutcome, VisitReport } from '#operations/report-visits.ts';
import { type Batching, batching, type BatchingOptions } from './batching.ts';

/** A report as the wire has it, with the public number where the operation has the opportunity's id. */
export type VisitMessage = Omit<VisitReport, 'presented'> & {
  readonly presented: number | null;
  readonly numbers: OpportunityNumbers;
};
export type SaleMessage = Tracked<SaleReport>;
export type CouponSaleMessage = Tracked<CouponSaleReport>;
export type SignalMessage = Tracked<SignalReport>;
export type LeadMessage = Tracked<LeadReport>;
/** Its opportunity is that of the sale. */
export type RenewalMessage = RenewalReport & { readonly numbers: OpportunityNumbers };

type Tracked<Report> = Report extends unknown
  ? Omit<Report, 'opportunityId'> & { readonly trackingId: number; readonly numbers: OpportunityNumbers }
  : never;

/** What a caller is told: the opportunity as its public number. */
export type VisitAnswer = Told<VisitOutcome>;
export type SaleAnswer = Told<SaleOutcome>;
export type SignalAnswer = Told<SignalOutcome>;
export type RenewalAnswer = Told<RenewalOutcome>;

export type ReportBatches = {
  readonly visits: Batching<VisitMessage, VisitAnswer>;
  /** Visits that name a user need row locks: they go apart, so that the others stay one statement. */
  readonly userVisits: Batching<VisitMessage, VisitAnswer>;
  /** Coupons applied and custom events. */
  readonly signals: Batching<SignalMessage, SignalAnswer>;
  readonly sales: Batching<SaleMessage, SaleAnswer>;
  /** Sales with coupon codes touch engagements as well: they go apart, so that the others stay one statement. */
  readonly couponSales: Batching<CouponSaleMessage, SaleAnswer>;
  readonly leads: Batching<LeadMessage, SaleAnswer>;
  readonly renewals: Batching<RenewalMessage, RenewalAnswer>;
  readonly refunds: Batching<RefundReport, RefundOutcome>;
  /** Refunds with an id of their own are judged under row locks: they go apart, so that the others stay one statement. */
  readonly namedRefunds: Batching<NamedRefundReport, NamedRefundOutcome>;
  readonly drained: () => Promise<void>;
};

export type ReportKind = 'visit' | 'signal' | 'sale' | 'lead' | 'renewal' | 'refund';

export type ReportBatchesOptions = {
  readonly reportVisits: ReportVisits;
  readonly reportSignals: ReportSignals;
  readonly reportSales: ReportSales;
  readonly reportCouponSales: ReportCouponSales;
  readonly reportLeads: ReportLeads;
  readonly reportRenewals: ReportRenewals;
  readonly reportRefunds: ReportRefunds;
  readonly reportNamedRefunds: ReportNamedRefunds;
  readonly isHarmless: BatchingOptions['isHarmless'];
  readonly limits?: BatchingOptions['limits'];
  /** Called when a batch is durable. */
  readonly onWritten: (kind: ReportKind, reports: number) => void;
};

/**
 * The batches of the reports. Numbers are turned into ids and back for a whole batch at once: a permutation of one
 * costs as much as one of a hundred.
 */
export function reportBatches(options: ReportBatchesOptions): ReportBatches {
  const { reportVisits, reportSales, reportRefunds, reportNamedRefunds, onWritten } = options;
  const batch = <Report, Outcome>(
    kind: ReportKind,
    write: (organizationId: OrganizationId, reports: readonly Report[]) => Promise<readonly (Outcome | undefined)[]>,
  ): Batching<Report, Outcome> =>
    batching(
      async (organizationId, reports: readonly Report[]) => {
        const outcomes = await write(organizationId, reports);
        onWritten(kind, reports.length);
        return outcomes;
      },
      {
        isHarmless: options.isHarmless,
        underWay: () => Object.values(batches).reduce((sum, each) => sum + each.waiting(), 0),
        ...(options.limits === undefined ? {} : { limits: options.limits }),
      },
    );

  const writeVisits = async (organizationId: OrganizationId, messages: readonly VisitMessage[]) => {
    const presented = decodeSome(messages, ({ presented }) => presented);
    const reports = messages.map(({ numbers: _, ...report }, n) => ({ ...report, presented: presented[n] ?? null }));
    return numbered(messages, await reportVisits(organizationId, reports));
  };
  const writeRenewals = async (organizationId: OrganizationId, messages: readonly RenewalMessage[]) => {
    const reports = messages.map(({ numbers: _, ...report }) => report);
    return numbered(messages, await options.reportRenewals(organizationId, reports));
  };

  const batches = {
    visits: batch<VisitMessage, VisitAnswer>('visit', writeVisits),
    userVisits: batch<VisitMessage, VisitAnswer>('visit', writeVisits),
    signals: batch<SignalMessage, SignalAnswer>('signal', tracked(options.reportSignals)),
    sales: batch<SaleMessage, SaleAnswer>('sale', tracked(reportSales)),
    couponSales: batch<CouponSaleMessage, SaleAnswer>('sale', tracked(options.reportCouponSales)),
    leads: batch<LeadMessage, SaleAnswer>('lead', tracked(options.reportLeads)),
    renewals: batch<RenewalMessage, RenewalAnswer>('renewal', writeRenewals),
    refunds: batch('refund', reportRefunds),
    namedRefunds: batch('refund', reportNamedRefunds),
  };
  return {
    ...batches,
    drained: async () => {
      await Promise.all(Object.values(batches).map((each) => each.drained()));
    },
  };
}

/** A header's text as a number that could name an opportunity; null for whatever can't. */
export function readOpportunityNumber(text: string | undefined): number | null {
  if (text === undefined || !/^[1-9]\d{0,15}$/.test(text)) return null;
  const number = Number(text);
  return number <= MAX_ID ? number : null;
}

/** A verb over reports with ids, for messages with the public number `trackingId`. */
function tracked<
  Report extends { readonly opportunityId: OpportunityId },
  Outcome extends { readonly kind: string } | undefined,
>(
  report: (
    organizationId: OrganizationId,
    reports: readonly Report[],
    numbers: OpportunityNumbers,
  ) => Promise<readonly Outcome[]>,
) {
  return async (organizationId: OrganizationId, messages: readonly Tracked<Report>[]): Promise<Told<Outcome>[]> => {
    const ids = decodeSome<TrackedMessage>(messages, ({ trackingId }) => trackingId);
    const reports = messages.map(({ trackingId: _, numbers: __, ...rest }: TrackedMessage, n) => ({
      ...rest,
      opportunityId: ids[n],
    }));
    const [first] = messages;
    if (first === undefined) return [];
    return numbered<Outcome>(
      messages,
      await report(organizationId, reports as unknown as readonly Report[], first.numbers),
    );
  };
}

type Numbered = { readonly numbers: OpportunityNumbers };
type TrackedMessage = Numbered & { readonly trackingId: number };

/** A batch is of one organization, so its first message's numbers are those of all. */
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

/** An outcome as its caller is told it: with the public number where it has an opportunity. */
type Told<Outcome> = Outcome extends { readonly kind: infer Kind; readonly opportunityId: OpportunityId }
  ? { readonly kind: Kind; readonly number: number }
  : Outcome;

function numbered<Outcome extends { readonly kind: string } | undefined>(
  messages: readonly Numbered[],
  outcomes: readonly Outcome[],
): Told<Outcome>[] {
  const ids = outcomes.flatMap((outcome) => opportunityOf(outcome) ?? []);
  const numbers = messages[0]?.numbers.encode(ids) ?? [];
  let next = 0;
  return outcomes.map((outcome) => {
    if (opportunityOf(outcome) === undefined) return outcome;
    next += 1;
    return { kind: outcome?.kind, number: numbers[next - 1] };
  }) as Told<Outcome>[];
}

function opportunityOf(outcome: { readonly kind: string } | undefined): OpportunityId | undefined {
  return outcome !== undefined && 'opportunityId' in outcome ? (outcome.opportunityId as OpportunityId) : undefined;
}
