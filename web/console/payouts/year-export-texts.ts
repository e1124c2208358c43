export const yearExport = {
  button: 'Year-end export',
  title: 'Year-end export',
  description:
    'A CSV file with the amount that you paid each partner in a year, by quarter and currency. It contains full tax numbers and account numbers, and each download is recorded in the audit log.',
  year: 'Year',
  yearHelp: (timeZone: string) => `A payout counts in the year (in ${timeZone}) in which it was marked as paid.`,
  download: 'Download',
  downloaded: (year: string) => `The export of ${year} is downloaded`,
};
