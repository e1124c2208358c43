import type { ChangePortalAccountBody } from '@whence/sdk';
import { CAST, type Player } from './cast.ts';

type Details = NonNullable<ChangePortalAccountBody['payoutDetails']>;

/**
 * The example IBANs of the SWIFT IBAN registry, from 15 countries of the euro area. Each collaborator with an IBAN has a
 * different one.
 */
const IBANS = [
  'DE89370400440532013000',
  'AT611904300234573201',
  'FR1420041010050500013M02606',
  'NL91ABNA0417164300',
  'BE68539007547034',
  'ES9121000418450200051332',
  'IE29AIBK93115212345678',
  'IT60X0542811101000000123456',
  'PT50000201231234567890154',
  'FI2112345600000785',
  'LU280019400644750000',
  'SI56263300012039086',
  'EE382200221020145685',
  'SK3112000000198742637541',
  'GR1601101250000000012300695',
];

/**
 * The collaborators who have an IBAN: all who earn in EUR, and two who earn in both currencies. So a run in EUR usually
 * pays twelve collaborators by SEPA credit transfer.
 */
const IBAN_HOLDERS = [...CAST.filter(({ currency }) => currency === 'EUR').map(({ code }) => code), 'tofu', 'zora'];

/** The collaborators who have not entered any payout details yet. */
const WITHOUT = new Set(['nell', 'event']);

/**
 * Returns the payout details of a collaborator, or undefined if they have none yet. The collaborators who have no IBAN
 * have accounts at PayPal, at Wise, or in the United States.
 */
export function detailsOf({ code, name, currency }: Player): Details | undefined {
  if (WITHOUT.has(code)) return undefined;
  const place = IBAN_HOLDERS.indexOf(code);
  if (place >= 0) return { method: 'iban', holder: name, account: IBANS[place] as string };
  const at = CAST.filter((each) => each.currency === currency).findIndex((each) => each.code === code);
  const email = `${code}.pay@example.com`;
  switch (at % 3) {
    case 0:
      return { method: 'paypal', account: email };
    case 1:
      return { method: 'wise', holder: name, account: email };
    default:
      return {
        method: 'us',
        holder: name,
        account: `10000${200 + at}`,
        bankCode: '021000021',
        accountType: 'checking',
      };
  }
}
