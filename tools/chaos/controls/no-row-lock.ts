import type { Control } from '../control.ts';

export const control: Control = {
  name: 'no-row-lock',
  what: 'Who decides a sale and who works off its refund don’t wait for each other',
  fault: 'calm',
  within: 8,
  edits: [
    {
      file: 'src/sales/store/transactions.ts',
      instead: 'order by id for no key update`',
      put: 'order by id`',
    },
    { file: 'src/sales/store/refunds.ts', instead: 'for no key update of t', put: '' },
  ],
};
