import { MAX_ALIAS_CODE } from '#collaborators/domain/alias.ts';
import { couponReference } from '#tracking/commands/report-signals.ts';
import type { TouchConfigurations } from '#tracking/commands/touch-configurations.ts';
import { MAX_ID, type OpportunityId } from '#core/ids.ts';
import { isReportable } from '#core/occurrence.ts';
import { MAX_MINOR } from '#core/money.ts';
import { type OpportunityNumbers } from '#core/opportunity-number.ts';
import { COUPON_APPLIED } from '#programs/domain/custom-event.ts';
import { MAX_NAME } from '../domain/lines.ts';
import type { GivenItem, GivenSale } from '#programs/domain/sold-lines.ts';
import { asDatabase, type Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { comparedBuyer } from '#sales/domain/buyer.ts';
import type { GivenRefund } from '#sales/domain/refund-report.ts';
import type { SaleOutcome } from '#sales/commands/record-sales.ts';
import { createCouponSaleReporter } from '#sales/commands/report-coupon-sales.ts';
import { createNamedRefundReporter, type NamedRefundOutcome } from '#sales/commands/report-refunds.ts';
import { createRenewalReporter } from '#sales/commands/report-renewals.ts';
import { createCorrectionReporter } from '#sales/commands/report-corrections.ts';
import { createReversalReporter } from '#sales/commands/report-reversals.ts';
import { createSaleReporter } from '#sales/commands/report-sales.ts';
import { findSales } from '#sales/store/sales.ts';
import type {
  RefundReport,
  CorrectionReport,
  RefundReversalReport,
  RenewalReport,
  Report,
  ReportOutcome,
  SaleReport,
} from '../domain/report.ts';

export type ReportContext = {
  readonly tenant: Tenant<Connection>;
  readonly numbers: OpportunityNumbers;
  /** The configurations in which to look up the collaborator of a coupon code. */
  readonly configurations: TouchConfigurations;
  readonly now: Date;
  readonly lateReportDays: number;
};

/**
 * The error of a report that is refused or must wait for another report. Earlier reports of the same event are rolled
 * back too.
 */
export class NotReported extends Error {
  override readonly name = 'NotReported';
  readonly kind: 'waiting' | 'failed';

  constructor(kind: 'waiting' | 'failed', reason: string) {
    super(reason);
    this.kind = kind;
  }
}

/**
 * Makes reports with the commands of the API, in the transaction of `tenant`. Returns their outcomes in the same order.
 * Throws NotReported if a report is refused or must wait for another report.
 */
export async function makeReports(reporting: ReportContext, reports: readonly Report[]): Promise<ReportOutcome[]> {
  for (const report of reports) requireValidIds(report);
  const outcomes: ReportOutcome[] = [];
  for (let at = 0; at < reports.length; at = outcomes.length) {
    const refunds = refundsFrom(reports, at);
    if (refunds.length > 0) outcomes.push(...(await reportRefunds(reporting, refunds)));
    else outcomes.push(await makeReport(reporting, reports[at] as Exclude<Report, RefundReport>));
  }
  return outcomes;
}

/**
 * Returns the consecutive refunds that begin at the position `at`. They are reported together, so that their sale is
 * loaded once.
 */
function refundsFrom(reports: readonly Report[], at: number): readonly RefundReport[] {
  const end = reports.findIndex(({ verb }, index) => index >= at && verb !== 'refund');
  return reports.slice(at, end === -1 ? undefined : end) as RefundReport[];
}

async function makeReport(reporting: ReportContext, report: Exclude<Report, RefundReport>): Promise<ReportOutcome> {
  if ('lines' in report) requireAmountsInRange(report);
  switch (report.verb) {
    case 'sale':
      return reportSale(reporting, report);
    case 'renewal':
      return reportRenewal(reporting, report);
    case 'refund-reversal':
      return reportReversal(reporting, report);
    case 'correction':
      return reportCorrection(reporting, report);
    default:
      return report satisfies never;
  }
}

/** Throws NotReported for an id that the API would refuse. Retrying such a report would never succeed. */
function requireValidIds(report: Report): void {
  const ids = [report.externalId];
  if ('refundId' in report) ids.push(report.refundId);
  if ('correctionId' in report) ids.push(report.correctionId);
  if ('sale' in report) ids.push(report.sale.externalId);
  if (ids.some((id) => id === '' || id.length > MAX_NAME))
    throw new NotReported(
      'failed',
      `An id is empty or has more than ${MAX_NAME} characters. Report the order or its change with the API under another id.`,
    );
}

function requireAmountsInRange({ total, lines }: Pick<SaleReport, 'total' | 'lines'>): void {
  const amounts = [total, ...lines.flatMap((line) => [line.amount, line.total])];
  if (amounts.some((amount) => amount > MAX_MINOR || amount < -MAX_MINOR)) {
    throw new NotReported(
      'failed',
      'An amount of the order is too large. Split the order, and report its parts with the API.',
    );
  }
}

/**
 * Records a sale with the opportunity that its referral identifies. The type `Referral` describes the order of
 * precedence.
 */
async function reportSale(reporting: ReportContext, report: SaleReport): Promise<ReportOutcome> {
  const { tenant } = reporting;
  const { referral, source, externalId, currency, total, lines } = report;
  const { userId } = referral;
  const couponCodes = referral.couponCodes.filter(({ length }) => length <= MAX_ALIAS_CODE).slice(0, MAX_CODES);
  const occurredAt = reportableTime(reporting, report);
  const sale = { source, externalId, currency, total, lines, occurredAt, buyer: comparedBuyer(report.buyer) };
  const database = asDatabase(tenant.connection);
  for (const opportunityId of opportunitiesOf(reporting, referral.trackingIds)) {
    const outcome =
      couponCodes.length === 0
        ? await createSaleReporter(database)(tenant.organizationId, [{ ...sale, opportunityId }])
        : await createCouponSaleReporter(database)(tenant.organizationId, [
            { ...sale, opportunityId, couponCodes, userId: null },
          ]);
    if (outcome[0]?.kind !== 'unknown-opportunity') return saleOutcome(report, outcome[0], 'tracking-id');
  }
  const hasCoupon = await belongToPartners(reporting, couponCodes);
  const known = hasCoupon ? null : await opportunityOfOrder(tenant, referral.sameCustomerAs);
  if (known !== null) {
    const [outcome] = await createSaleReporter(database)(tenant.organizationId, [{ ...sale, opportunityId: known }]);
    return saleOutcome(report, outcome, 'customer');
  }
  const unreferred = { ...sale, opportunityId: null };
  const [outcome] =
    hasCoupon || userId !== null
      ? await createCouponSaleReporter(database)(tenant.organizationId, [{ ...unreferred, couponCodes, userId }])
      : await createSaleReporter(database)(tenant.organizationId, [unreferred]);
  return saleOutcome(report, outcome, hasCoupon ? 'coupon' : userId === null ? 'none' : 'user');
}

/**
 * Decodes tracking ids to the ids of opportunities. Skips texts that aren't opportunity numbers, and all tracking ids
 * beyond MAX_CODES.
 */
function opportunitiesOf({ numbers }: ReportContext, trackingIds: readonly string[]): readonly OpportunityId[] {
  const given = trackingIds
    .slice(0, MAX_CODES)
    .filter((text) => TRACKING_ID.test(text))
    .map(Number);
  return numbers.decode([...new Set(given)].filter((number) => number <= MAX_ID));
}

/**
 * The maximum number of tracking ids, and of coupon codes, of an order. Further ids and codes are skipped, and codes
 * that are longer than the codes of partners.
 */
const MAX_CODES = 20;

const TRACKING_ID = /^[1-9][0-9]{0,15}$/;

async function belongToPartners({ tenant, configurations }: ReportContext, codes: readonly string[]): Promise<boolean> {
  if (codes.length === 0) return false;
  const requests = codes.map((code) => ({ trigger: COUPON_APPLIED, collaborator: couponReference(code) }));
  const { referrers } = await configurations.resolve(tenant.organizationId, requests);
  return referrers.some((each) => typeof each === 'object');
}

async function opportunityOfOrder(
  tenant: Tenant<Connection>,
  order: SaleReport['referral']['sameCustomerAs'],
): Promise<OpportunityId | null> {
  if (order === null) return null;
  return (await findSales(tenant, [order])).get(0)?.opportunityId ?? null;
}

function saleOutcome(
  { verb, source, externalId }: SaleReport,
  outcome: SaleOutcome | undefined,
  referral: NonNullable<ReportOutcome['referral']>,
): ReportOutcome {
  switch (outcome?.kind) {
    case 'recorded':
    case 'repeated': {
      const { kind, opportunityId } = outcome;
      const supplied = opportunityId === null ? 'none' : referral;
      return { verb, source, externalId, outcome: kind, referral: supplied, isAttributed: opportunityId !== null };
    }
    case 'conflict':
      throw new NotReported('failed', conflictText(outcome.stands));
    case 'unknown-opportunity':
    case undefined:
      throw new Error('The report of a sale returned no outcome.');
    default:
      return outcome satisfies never;
  }
}

async function reportRenewal(reporting: ReportContext, report: RenewalReport): Promise<ReportOutcome> {
  const { tenant } = reporting;
  const { verb, source, externalId, currency, sale, total, lines } = report;
  const given = givenContent({ total, lines });
  const renewal = { source, externalId, currency, sale, given, occurredAt: reportableTime(reporting, report) };
  const [outcome] = await createRenewalReporter(asDatabase(tenant.connection))(tenant.organizationId, [renewal]);
  switch (outcome?.kind) {
    case 'recorded':
    case 'repeated':
      return { verb, source, externalId, outcome: outcome.kind };
    case 'unknown-sale':
      throw new NotReported('waiting', 'The renewed sale has not arrived.');
    case 'not-a-sale':
      throw new NotReported(
        'failed',
        'The renewed transaction is itself a renewal or a lead. Report this payment as a sale with the API.',
      );
    case 'conflict':
      throw new NotReported('failed', conflictText(outcome.stands));
    case undefined:
      throw new Error('The report of a renewal returned no outcome.');
    default:
      return outcome satisfies never;
  }
}

function givenContent({ total, lines }: Pick<SaleReport, 'total' | 'lines'>): GivenSale {
  return {
    total: { unit: 'hundredth', amount: total },
    items: lines.map(({ amount: _, total: lineTotal, ...line }): GivenItem => ({
      ...line,
      price: { of: 'line', total: lineTotal },
    })),
  };
}

async function reportRefunds(reporting: ReportContext, reports: readonly RefundReport[]): Promise<ReportOutcome[]> {
  const { tenant } = reporting;
  await refuseOtherCurrencies(tenant, reports);
  const refunds = reports.map((report) => ({
    source: report.source,
    externalId: report.externalId,
    refundId: report.refundId,
    occurredAt: reportableTime(reporting, report),
    given: givenRefund(report),
  }));
  const outcomes = await createNamedRefundReporter(asDatabase(tenant.connection))(tenant.organizationId, refunds);
  return reports.map((report, at) => refundOutcome(report, outcomes[at]));
}

/**
 * Returns the content of a refund. Throws NotReported for a negative amount, which would raise the remaining amount of
 * the sale. A valid signature doesn't exclude such an amount.
 */
function givenRefund({ given }: RefundReport): GivenRefund {
  if (given.kind !== 'amount') return given;
  if (given.amount < 0n)
    throw new NotReported('failed', 'The amount of the refund is negative. Report the refund with the API.');
  return { ...given, amount: { unit: 'hundredth', amount: given.amount } };
}

async function refuseOtherCurrencies(
  { connection, organizationId }: Tenant<Connection>,
  reports: readonly RefundReport[],
): Promise<void> {
  const named = reports.filter(({ currency }) => currency !== undefined);
  if (named.length === 0) return;
  const sales = await findSales({ connection, organizationId }, named);
  for (const [at, { currency }] of named.entries()) {
    const sale = sales.get(at);
    if (sale !== undefined && sale.currency !== currency) {
      throw new NotReported(
        'failed',
        `The refund is in ${currency}, but the order is in ${sale.currency}. Report the refund in ${sale.currency} with the API.`,
      );
    }
  }
}

function refundOutcome(
  { verb, source, externalId, refundId }: RefundReport,
  outcome: NamedRefundOutcome | undefined,
): ReportOutcome {
  switch (outcome?.kind) {
    case 'recorded':
    case 'repeated':
      return { verb, source, externalId, refundId, outcome: outcome.kind };
    case 'unknown-sale':
      throw new NotReported('waiting', 'The refunded order has not arrived.');
    case undefined:
      throw new Error('The report of a refund returned no outcome.');
    case 'conflict':
    case 'too-many-refunds':
    case 'rounds-to-zero':
    case 'unknown-items':
    case 'exceeds':
    case 'below-zero':
    case 'items-exceed':
      throw new NotReported('failed', REFUSED_REFUNDS[outcome.kind]);
    default:
      return outcome satisfies never;
  }
}

async function reportReversal(reporting: ReportContext, report: RefundReversalReport): Promise<ReportOutcome> {
  const { tenant } = reporting;
  const { verb, source, externalId, refundId } = report;
  const reversal = { source, externalId, refundId, occurredAt: reportableTime(reporting, report) };
  const [outcome] = await createReversalReporter(asDatabase(tenant.connection))(tenant.organizationId, [reversal]);
  switch (outcome?.kind) {
    case 'recorded':
    case 'repeated':
      return { verb, source, externalId, refundId, outcome: outcome.kind };
    case 'unknown-refund':
      // A refund is not recorded if the total of its sale was 0 at that time, so there is nothing to reverse.
      return { verb, source, externalId, refundId, outcome: 'repeated' };
    case 'unknown-sale':
      throw new NotReported('waiting', 'The refunded order has not arrived.');
    case undefined:
      throw new Error('The report of a reversal returned no outcome.');
    default:
      return outcome satisfies never;
  }
}

async function reportCorrection(reporting: ReportContext, report: CorrectionReport): Promise<ReportOutcome> {
  const { tenant } = reporting;
  const { verb, source, externalId, correctionId, total, lines } = report;
  const occurredAt = reportableTime(reporting, report);
  const correction = { source, externalId, correctionId, occurredAt, given: givenContent({ total, lines }) };
  const [outcome] = await createCorrectionReporter(asDatabase(tenant.connection))(tenant.organizationId, [correction]);
  switch (outcome?.kind) {
    case 'recorded':
    case 'repeated':
      return { verb, source, externalId, correctionId, outcome: outcome.kind };
    case 'unknown-sale':
      throw new NotReported('waiting', 'The edited order has not arrived.');
    case undefined:
      throw new Error('The report of a correction returned no outcome.');
    case 'conflict':
    case 'refunds-exceed':
    case 'too-many-corrections':
      throw new NotReported('failed', REFUSED_CORRECTIONS[outcome.kind]);
    default:
      return outcome satisfies never;
  }
}

const REFUSED_CORRECTIONS = {
  conflict:
    'A correction with this id was reported with other content. Check which content is correct, and ' +
    'report any difference with the API.',
  'refunds-exceed':
    'The refunds of the order exceed its new total, or would leave nothing of it. Refund the order in full, then ' +
    'dismiss this event.',
  'too-many-corrections':
    'The order has too many corrections. Report a lower total as a refund, or credit a higher total manually.',
} as const;

const REFUSED_REFUNDS = {
  conflict:
    'A refund with this id was reported with other content. Check which content is correct, and report ' +
    'any difference with the API.',
  'too-many-refunds': 'The order has too many refunds. Refund the rest of it with the API, without a refundId.',
  'rounds-to-zero': 'The amount rounds to 0.00, so there is nothing to refund. Dismiss this event.',
  'unknown-items': 'A returned item is not part of the order. Report the refund with the API, by its amount.',
  exceeds: 'The refund exceeds the remaining amount of the order. Refund the rest of the order with the API.',
  'below-zero': 'The returned lines add up to less than 0. Report the refund with the API, by its amount.',
  'items-exceed': 'More pieces are returned than the order has left. Report the refund with the API, by its amount.',
} as const;

function conflictText(stands: string): string {
  return `This order was reported as a ${stands} with other content. Check which content is correct, and report any difference with the API.`;
}

/** Returns the time of a report, or null (now) if the time is outside the accepted range. */
function reportableTime({ now, lateReportDays }: ReportContext, { occurredAt }: Report): Date | null {
  return isReportable(occurredAt, now, lateReportDays) ? occurredAt : null;
}
