import type { Whence } from '@whence/sdk';
import { type Applicant, emailOf, type Player } from './cast.ts';
import { detailsOf } from './payout-details.ts';
import type { Printed } from './printed.ts';
import { visitorOf } from './visitor.ts';

export const PORTAL = 'teapot';
/** The collaborator whose portal the demo shows: the affiliate with the most traffic. */
export const SHOWN = { name: 'Mira Fernweh', email: emailOf({ code: 'mira' }) };

/** Opens the portal. Affiliates may sign up, and each sign-up needs approval. */
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
    headline: 'Recommend our teapots, and earn a share of every sale',
    fields: [
      { label: QUESTION, type: 'long-text', required: true },
      { label: 'Your site or channel', type: 'url' },
      { label: 'How many people follow you?', type: 'choice', choices: ['Under 1,000', '1,000 to 10,000', 'More'] },
    ],
  });
}

/** Adds a banner, a text and a link that collaborators use to recommend the teapots. */
export async function addMaterials(whence: Whence): Promise<void> {
  const licenseNote = 'Use it unchanged, and only to recommend our shop.';
  const data = Buffer.from(BANNER).toString('base64');
  await whence.materials.create({ title: 'Banner, 728 × 90', licenseNote, file: { name: 'teapots.svg', data } });
  await whence.materials.create({
    title: 'Text for a post',
    text: 'My tea tastes better from a pot by Teapot & Daughters. Have a look: {link}',
  });
  await whence.materials.create({ title: 'The new teapots', pageUrl: 'https://teapot.example/new' });
}

const BANNER = `<svg xmlns="http://www.w3.org/2000/svg" width="728" height="90" viewBox="0 0 728 90">
<rect width="728" height="90" fill="#0f766e"/>
<path d="M64 38h44v14a22 18 0 0 1-44 0zM108 42q16 0 16-14h-8q0 6-8 6zM64 42a10 9 0 1 0 0 14M76 34a10 6 0 0 1 20 0z" fill="#fff"/>
<text x="160" y="55" font-family="sans-serif" font-size="28" fill="#fff">Teapot &amp; Daughters: pots that pour</text>
</svg>`;

const QUESTION = 'Where will you tell people about us?';

/** Signs up an applicant and follows the emailed link. The sign-up then waits for the merchant's approval. */
export async function apply(
  url: string,
  printed: Printed,
  programId: number,
  { name, email, answer, address }: Applicant,
): Promise<void> {
  const visitor = visitorOf(url, { address });
  await visitor.portals.signUp(PORTAL, { programId, name, email, answers: [{ label: QUESTION, value: answer }] });
  await visitor.portals.openSession(PORTAL, { token: await entryOf(printed, email, /#(\S+)/) });
}

/** If a collaborator has payout details, logs in with an emailed link and enters the details. */
export async function enterDetails(url: string, printed: Printed, player: Player): Promise<void> {
  const payoutDetails = detailsOf(player);
  if (payoutDetails === undefined) return;
  const visitor = visitorOf(url);
  const email = emailOf(player);
  await visitor.portals.requestLink(PORTAL, { email });
  const token = await entryOf(printed, email, /\/enter#([\w-]{43})/);
  const { headers } = await visitor.portals.openSession(PORTAL, { token }).withResponse();
  const { portal } = visitorOf(url, { cookie: headers.get('set-cookie')?.split(';')[0] });
  await portal.changeAccount({ payoutDetails });
}

/** Requests a login link to the portal of the shown collaborator, and returns the link from the printed email. */
export async function linkToPortal(url: string, printed: Printed): Promise<string> {
  const visitor = visitorOf(url);
  await visitor.portals.requestLink(PORTAL, { email: SHOWN.email });
  return entryOf(printed, SHOWN.email, /(https?:\/\/\S+#\S+)/);
}

function entryOf(printed: Printed, email: string, part: RegExp): Promise<string> {
  return printed.next(new RegExp(`Email to ${email}:[^]*?${part.source}`));
}
