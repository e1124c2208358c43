import { NumberLiteral } from './number-literal.ts';

// `JSON.rawJSON` (ECMAScript 2026, in Node since 21) is not in TypeScript's library yet.
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };

/**
 * Returns `value` as JSON. A bigint is written as an integer, because amounts are never doubles. A NumberLiteral is
 * written as it was sent.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member === 'bigint') return rawJSON(member.toString());
    return member instanceof NumberLiteral ? rawJSON(member.text) : member;
  });
}
