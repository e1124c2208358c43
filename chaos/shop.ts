import { openCaller, newTally } from './caller.ts';
import type { System } from './system.ts';
import type { OrganizationId } from '#domain/ids.ts';
import { foundOrganization } from '#operations/found-organization.ts';
import { diceOf } from '#test/support/random.ts';

/** An organization of one trial alone, and what it pays. */
export type Shop = {
  readonly organizationId: OrganizationId;
  readonly key: string;
  /** Codes of their links. */
  readonly collaborators: readonly string[];
  /** What each sale earns, of a hundred. */
  readonly percents: ReadonlyMap<number, number>;
  /** The one whose conversions wait for approval. */
  readonly reviewedProgramId: number;
};

const COLLABORATORS = ['ada', 'grace', 'edsger'];
const APPROVED_PERCENT = 5;
const REVIEWED_PERCENT = 10;

/** Two programs, of which one approves by itself, and three collaborators. */
export async function openShop({ apis, database }: System): Promise<Shop> {
  const { organizationId, newKeys } = await foundOrganization(database, 'Shop');
  const key = newKeys.secret as string;
  const caller = openCaller(apis, key, diceOf(organizationId), newTally());
  const program = (name: string, percent: number, autoApprove: boolean): Promise<number> =>
    create('/programs', { name, reward: { type: 'percent', percent }, autoApprove });
  const approvedProgramId = await program('Approved', APPROVED_PERCENT, true);
  const reviewedProgramId = await program('Reviewed', REVIEWED_PERCENT, false);
  for (const code of COLLABORATORS) {
    await create('/collaborators', { name: code, aliases: [{ type: 'tracking', code }] });
  }
  caller.close();
  return {
    organizationId,
    key,
    collaborators: COLLABORATORS,
    percents: new Map([
      [approvedProgramId, APPROVED_PERCENT],
      [reviewedProgramId, REVIEWED_PERCENT],
    ]),
    reviewedProgramId,
  };

  async function create(path: string, body: unknown): Promise<number> {
    const answer = await caller.send({ path, body });
    if (answer.kind === 'answered' && answer.status === 201) return (JSON.parse(answer.text) as { id: number }).id;
    throw new Error(`${path}: ${JSON.stringify(answer)}`);
  }
}
