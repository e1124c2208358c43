import type { JsonObject } from './connector.ts';
import { textIn } from './json.ts';
import type { Buyer } from '#sales/domain/buyer.ts';

/**
 * Returns the buyer's email address and name, for the fraud signals of self-referrals. The name is the text of the
 * field `nameField`, or else the first and the last name. Absent details are undefined.
 */
export function buyerOf(email: string | undefined, person: JsonObject, nameField?: string): Buyer {
  const whole = nameField === undefined ? undefined : textIn(person, nameField);
  const parts = [textIn(person, 'first_name'), textIn(person, 'last_name')].filter((part) => part !== undefined);
  return { email, name: whole ?? (parts.length === 0 ? undefined : parts.join(' ')) };
}
