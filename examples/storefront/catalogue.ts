export type Product = { readonly sku: string; readonly name: string; readonly cents: number; readonly blurb: string };

/** The shop's products, with prices in cents. */
export const CATALOGUE: readonly Product[] = [
  { sku: 'mug', name: 'Enamel mug', cents: 1490, blurb: 'Holds coffee, survives camping.' },
  { sku: 'notebook', name: 'Dotted notebook', cents: 900, blurb: '160 pages that lie flat.' },
  { sku: 'lamp', name: 'Desk lamp', cents: 6400, blurb: 'Warm light, one button.' },
];

export function productOf(sku: string): Product | undefined {
  return CATALOGUE.find((product) => product.sku === sku);
}

/** Formats cents as a decimal number such as `14.90`. */
export function decimal(cents: number): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
