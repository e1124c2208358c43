import { openCaller, newTally } from './caller.ts';
import type { System } from './system.ts';
import type { OrganizationId } from '#core/ids.ts';
import { foundOrganization } from '#access/commands/found-organization.ts';
import { diceOf } from '#test/support/random.ts';

/** The organization of one iteration, and its programs. */
export type Shop = {
  readonly organizationId: OrganizationId;
  readonly key: string;
  /** The tracking codes of the collaborators. */
  readonly collaborators: readonly string[];
  /** The percentage that each program pays for a sale, by program id. */
  readonly percents: ReadonlyMap<number, number>;
  /** The program whose conversions wait for approval. */
  readonly reviewedProgramId: number;
};

const COLLABORATORS = ['ada', 'grace', 'edsger'];
const APPROVED_PERCENT = 5;
const REVIEWED_PERCENT = 10;

/** Creates an organization with three collaborators and two programs, one of which approves automatically. */
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
