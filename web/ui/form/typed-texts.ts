/** The faults of typed numbers and amounts. They are not in `texts.ts`, which every page loads. */
export const typedTexts = {
  notMoney: 'Enter an amount such as 19.99.',
  notNumber: (decimals: number) => `Enter a number such as ${decimals > 0 ? '12.5' : '12'}.`,
  notInRange: (min: number, max: number) => {
    if (!Number.isFinite(max)) return `Enter ${min} or more.`;
    return Number.isFinite(min) ? `Enter a number from ${min} to ${max}.` : `Enter ${max} or less.`;
  },
};
