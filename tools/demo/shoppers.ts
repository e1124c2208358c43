import type { Whence } from '@whence/sdk';
import type { Deed } from './traffic.ts';
import { major } from './shelf.ts';

export type Reporting = {
  /** A client with a key that may only report, as a checkout has it. */
  readonly checkout: Whence;
  /** A client with a publishable key, for visits of people who are not logged in. */
  readonly pages: Whence;
};

/** Returns a function that reports the actions of shoppers one by one, as a shop does. */
export function shoppersOf({ checkout, pages }: Reporting): (deed: Deed) => Promise<void> {
  /** The opportunity of each device. */
  const devices = new Map<string, number>();
  /** The external ids of reported orders, by their number in the traffic. */
  const orders = new Map<number, string>();
  const counts = { order: 1_000, refund: 0, lead: 0, renewal: 0 };

  return async (deed) => {
    switch (deed.kind) {
      case 'visit': {
        const { by, userId } = deed;
        const opportunity = devices.get(deviceOf(deed));
        const collaboratorId = `tracking:${by.code}`;
        const visited =
          userId === undefined
            ? pages.report.visit({ collaboratorId }, { opportunity })
            : checkout.report.visit({ collaboratorId, userId }, { opportunity });
        devices.set(deviceOf(deed), await visited);
        return;
      }
      case 'studio':
        await checkout.report.customEvent({
          event: 'work-sold',
          trackingId: opportunityOf(deed),
          collaboratorId: 'tracking:studio',
        });
        return;
      case 'lead':
        counts.lead += 1;
        await checkout.report.lead({
          source: 'crm',
          externalId: `lead-${counts.lead}`,
          trackingId: opportunityOf(deed),
        });
        return;
      case 'sale':
        await sell(deed);
        return;
      case 'renewal':
        counts.renewal += 1;
        await checkout.report.renewal({
          source: deed.source,
          externalId: `invoice-${counts.renewal}`,
          saleExternalId: nameOf(deed.order),
          total: major(deed.totalCents),
        });
        return;
      case 'refund':
        await refund(deed);
        return;
      default:
        deed satisfies never;
    }
  };

  async function sell(deed: Extract<Deed, { kind: 'sale' }>): Promise<void> {
    const { order, source, currency, basket, coupon } = deed;
    counts.order += 1;
    const externalId = `order-${counts.order}`;
    orders.set(order, externalId);
    await checkout.report.sale({
      source,
      externalId,
      currency,
      total: major(basket.totalCents),
      items: [...basket.items],
      trackingId: opportunityOf(deed),
      ...(coupon === undefined ? {} : { couponCodes: [coupon] }),
    });
  }

  async function refund({ order, source, part }: Extract<Deed, { kind: 'refund' }>): Promise<void> {
    counts.refund += 1;
    const of = { source, externalId: nameOf(order) };
    const refundId = `return-${counts.refund}`;
    if (part.kind === 'all') await checkout.report.refund(of);
    else if (part.kind === 'amount') await checkout.report.refund({ ...of, refundId, amount: major(part.cents) });
    else await checkout.report.refund({ ...of, refundId, items: [{ externalId: part.externalId, quantity: 1 }] });
  }

  function opportunityOf(of: { readonly shopper: number; readonly device: number }): number {
    const opportunity = devices.get(deviceOf(of));
    if (opportunity === undefined) throw new Error(`shopper ${of.shopper} has not been there`);
    return opportunity;
  }

  function nameOf(order: number): string {
    const name = orders.get(order);
    if (name === undefined) throw new Error(`order ${order} was not made`);
    return name;
  }
}

function deviceOf({ shopper, device }: { readonly shopper: number; readonly device: number }): string {
  return `${shopper}:${device}`;
}
