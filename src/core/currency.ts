import { divideHalfUp, type Minor } from './money.ts';

/** Returns whether `code` (upper case) is a currency that a sale can use. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

/**
 * ISO 4217, list one (current currencies and funds) as of amendment 180, in force since January 1, 2026. A separate
 * table is needed for three reasons. `Intl` includes withdrawn codes. It lacks the funds codes, but a lease in Chile
 * can be priced in CLF. It also varies with the version of Node.
 *
 * Some codes are not included, because no sale is priced in them:
 *
 * - metals (XAG, XAU, XPD, XPT)
 * - bond market units (XBA … XBD)
 * - the code for tests (XTS)
 * - the code for no currency (XXX)
 */
export const CURRENCIES: ReadonlySet<string> = new Set(
  `
  AED AFN ALL AMD AOA ARS AUD AWG AZN
  BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
  CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK
  DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP
  GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF
  IDR ILS INR IQD IRR ISK JMD JOD JPY
  KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD
  MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN
  NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR
  RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
  THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS
  VED VES VND VUV WST XAD XAF XCD XCG XDR XOF XPF XSU XUA YER ZAR ZMW ZWG
  `
    .trim()
    .split(/\s+/),
);

/**
 * Converts an amount in the currency's smallest unit to hundredths, rounded with halves away from zero. For example,
 * 1,234 yen are 123,400 hundredths, and 1.235 Kuwaiti dinars are 124 hundredths.
 */
export function toHundredths(smallestUnits: bigint, currency: string): Minor {
  return divideHalfUp(smallestUnits * 100n, 10n ** BigInt(decimalsOf(currency))) as Minor;
}

/** Returns the number of decimals that ISO 4217 defines for the currency. */
export function decimalsOf(currency: string): number {
  return DECIMALS.get(currency) ?? 2;
}

/**
 * Returns the smallest amount that can be paid, in hundredths: 1, or 100 for a currency without decimals. Currencies
 * with three or four decimals are stored in hundredths.
 */
export function payableUnit(currency: string): bigint {
  return decimalsOf(currency) === 0 ? 100n : 1n;
}

/**
 * The currencies whose smallest unit is not a hundredth, from ISO 4217 list one. `Intl` can't be used, because it has
 * the decimals of everyday use, such as none for HUF and IDR. Codes for which the list gives no number of decimals,
 * such as XDR, use hundredths.
 */
const DECIMALS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([decimals, codes]) => codes.split(' ').map((code) => [code, Number(decimals)])),
);

/** The currencies without decimals, which are paid in whole major units. */
export const WHOLE_CURRENCIES: readonly string[] = [...DECIMALS]
  .filter(([, decimals]) => decimals === 0)
  .map(([code]) => code);
