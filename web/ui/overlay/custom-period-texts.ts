/** The texts of the fields for a custom period. They load with the fields. */
export const customPeriod = {
  from: 'First day',
  to: 'Last day',
  backwards: 'The first day is after the last day. Choose an earlier first day.',
  tooLong: (days: number) => `The period is too long. Choose at most ${days} days.`,
};
