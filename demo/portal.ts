import type { Whence } from '@whence/sdk';
import { APPLICANTS, emailOf } from './cast.ts';
import type { Printed } from './printed.ts';
import { visitorOf } from './visitor.ts';

export const PORTAL = 'teapot';
/** Whose portal is shown: the strongest of the affiliates. */
export const SHOWN = { name: 'Mira Fernweh', email: emailOf({ code: 'mira' }) };

/** The portal, with affiliates who may sign up and are looked at. */
export async function openPortal(whence: Whence, programId: number): Promise<void> {
  await whence.portalSettings.update({
    slug: PORTAL,
    name: 'Teapot & Daughters',
    accent: '#0f766e',
    landingUrl: 'https://teapot.example/',
    supportEmail: 'partners@example.com',
  });
  await whence.programs.changeSignUp(programId, {
    mode: 'approval',
    headline: 'Tell people of our teapots, and get your part of what they buy',
    question: 'Where will you tell people of us?',
  });
}

/** Somebody signs up and follows the link of the mail; now the merchant has to say yes or no. */
export async function apply(
  url: string,
  printed: Printed,
  programId: number,
  { name, email, answer }: (typeof APPLICANTS)[number],
): Promise<void> {
  const visitor = visitorOf(url);
  await visitor.portals.signUp(PORTAL, { programId, name, email, answer });
  await visitor.portals.openSession(PORTAL, { token: await entryOf(printed, email, /#(\S+)/) });
}

/** A link into the portal as the one who is shown, as the mail has it. */
export async function linkToPortal(url: string, printed: Printed): Promise<string> {
  const visitor = visitorOf(url);
  await visitor.portals.requestLink(PORTAL, { email: SHOWN.email });
  return entryOf(printed, SHOWN.email, /(https?:\/\/\S+#\S+)/);
}

function entryOf(printed: Printed, email: string, part: RegExp): Promise<string> {
  return printed.next(new RegExp(`Mail to ${email}:[^]*?${part.source}`));
}
