/** Whether `code` (upper case) is a currency that a sale can be in. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

/**
 * ISO 4217, list one (current currencies and funds) as of amendment 180, in force since 1 January 2026. A table of our
 * own, since `Intl` knows withdrawn codes, lacks the funds codes (a lease in Chile is priced in CLF), and changes with
 * the Node that happens to run. Left out of the list: metals (XAG, XAU, XPD, XPT), bond market units (XBA … XBD), the
 * code for tests (XTS) and that for no currency at all (XXX): no sale is priced in them.
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
