import {
  type DigestFrequency,
  MAX_COUNTED,
  WAITING_KINDS,
  type WaitingCounts,
  type WaitingKind,
} from '../domain/digest.ts';
import { consoleEmail, type EmailText, oneLine } from '#platform/email/email.ts';

/**
 * The noun for each kind of item in a digest, in the singular and the plural, and the console page that lists these
 * items.
 */
const KINDS: Readonly<Record<WaitingKind, readonly [one: string, many: string, page: string]>> = {
  applications: ['application to review', 'applications to review', 'collaborators?tab=waiting'],
  commissions: ['commission to approve', 'commissions to approve', 'conversions'],
  'fraud-reviews': ['commission in fraud review', 'commissions in fraud review', 'fraud'],
  'payout-reviews': ['payout to review', 'payouts to review', 'payouts?tab=review'],
  'payout-requests': ['payout request', 'payout requests', 'payouts?tab=requests'],
  payouts: ['payout to pay', 'payouts to pay', 'payouts?tab=payouts&status=unpaid'],
  webhooks: ['failing webhook', 'failing webhooks', 'webhooks'],
  connectors: ['connector with failed events', 'connectors with failed events', 'connectors'],
  events: ['event that could not be decided', 'events that could not be decided', 'live?state=parked'],
};

/** Returns the digest for a person, or undefined if there are no items. `url` is the public address of the service. */
export function digestEmail(of: {
  readonly name: string;
  readonly organization: string;
  readonly frequency: DigestFrequency;
  readonly url: string;
  readonly counts: WaitingCounts;
}): EmailText | undefined {
  const organization = oneLine(of.organization);
  const items = WAITING_KINDS.filter((kind) => of.counts[kind] > 0).map((kind) => {
    const [one, many, page] = KINDS[kind];
    return { text: counted(of.counts[kind], one, many), link: `${of.url}/console/${page}` };
  });
  const [first] = items;
  if (first === undefined) return undefined;
  return consoleEmail(
    `${organization}: ${first.text}${items.length > 1 ? ', and more' : ''}`,
    `Hello ${oneLine(of.name)},`,
    `These items wait for your team at ${organization}:`,
    { items },
    `You get this email ${of.frequency === 'daily' ? 'every day' : 'every Monday'} if something waits.`,
    { link: `${of.url}/console/`, label: 'Open the console' },
  );
}

export function confirmAddressEmail(of: {
  readonly name: string;
  readonly organization: string;
  readonly url: string;
}): EmailText {
  return consoleEmail(
    'Confirm your address for Whence',
    `Hello ${oneLine(of.name)},`,
    `Follow this link to confirm that your account at ${oneLine(of.organization)} has this address. You then get a regular summary of open items:`,
    { link: of.url, label: 'Confirm your address' },
    'If you did not request this email, ignore it. Nothing will happen.',
  );
}

function counted(count: number, one: string, many: string): string {
  if (count === 1) return `1 ${one}`;
  return `${count.toLocaleString('en-US')}${count >= MAX_COUNTED ? ' or more' : ''} ${many}`;
}
