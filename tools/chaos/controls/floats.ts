import type { Control } from '../control.ts';

export const control: Control = {
  name: 'floats',
  what: 'Amounts are read as floating-point numbers',
  fault: 'calm',
  within: 1,
  edits: [
    {
      file: 'src/core/contract/fields.ts',
      instead: ': parseMajor(text);',
      put: ': (BigInt(Math.trunc(Number(text) * 100)) as Minor);',
    },
  ],
};
