import { formatCount } from '#web/ui/formats/numbers.ts';

export const rates = {
  title: 'Reporting currency',
  settings: 'Settings',
  description: 'Converts figures in several currencies into one total. Owed and paid amounts are never converted.',
  currency: 'Reporting currency',
  currencyHelp: 'Choose none to show each currency separately.',
  none: 'None',
  save: 'Save',
  saved: 'The reporting currency is saved',

  rates: 'Exchange rates',
  ratesHelp:
    'How much of each currency one euro buys today. A rate applies from its day until the next day with a rate.',
  noRates: 'No rates yet. Amounts in other currencies are left out of the total.',
  rate: (rate: string, currency: string) => `1 EUR = ${rate} ${currency}`,
  since: 'from',

  import: 'Import rates of the ECB',
  importHelp:
    'Download “Time series: CSV (.zip)” from the European Central Bank, unpack it, and choose eurofxref-hist.csv.',
  ecb: 'Download page of the ECB',
  choose: 'Choose eurofxref-hist.csv',
  progress: (percent: string) => `Importing … ${percent}`,
  imported: (count: number) => (count === 1 ? '1 rate imported' : `${formatCount(count)} rates imported`),
  nothingNew: 'The file has no new rates',

  enter: 'Enter a rate',
  of: 'Currency',
  day: 'From',
  oneEuro: 'One euro buys',
  add: 'Save rate',
  added: 'The rate is saved',

  converted: (currency: string) => `≈ ${currency}`,
  convertedNote: (currency: string) => `≈ All currencies in ${currency}, at your exchange rates of each day.`,
  oneCurrencyNote: (currency: string, others: string) =>
    `Sales, revenue and earnings count ${currency} only. ${others} count all currencies.`,
  others: 'Clicks, leads and the conversion rate',
  withoutRate: (currencies: string) => `Without a rate, and not included: ${currencies}.`,
  allCurrencies: 'All currencies',
};
