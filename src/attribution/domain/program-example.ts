import type { Explanation, ExplainedCandidate } from './explanation.ts';
import { NO_FRAUD_SIGNALS } from '#programs/domain/hold.ts';
import type {
  CollaboratorId,
  ConfigVersion,
  EngagementId,
  EventId,
  OpportunityId,
  ProgramId,
  TransactionId,
  UserId,
} from '#core/ids.ts';
import { addDays, addMonths, type Instant, utcMidnight } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';
import type { PayableKind, ProgramTerms, ProgramVersion, Trigger } from '#programs/domain/program.ts';
import { decideSale } from './sale-decision.ts';
import type { Candidate, Sale, Unengaged } from './facts.ts';
import { type GivenItem, soldLines, totalOf } from '#programs/domain/sold-lines.ts';
import { touchesOf } from '#tracking/domain/visit.ts';
import { SITE_VISIT } from '#programs/domain/custom-event.ts';
import type { Earned } from '#programs/domain/reward.ts';

/** A fictitious sale, lead or renewal. */
export type ImaginedSale = {
  readonly kind: PayableKind;
  /** The total in hundredths. Null means the sum of the items, or 100.00 without items. */
  readonly total: Minor | null;
  readonly currency: string;
  readonly items: readonly GivenItem[];
  /** The position of the renewal among the renewals of its sale, from 1. */
  readonly renewalNumber: number;
  /** The number of calendar months between the sale and the renewal. */
  readonly monthsAfterSale: number;
};

/** A fictitious touch. `daysBefore` counts days of 24 hours before the sale. */
export type ImaginedTouch = {
  readonly collaborator: ImaginedCollaborator;
  /**
   * The trigger of the touch. Null means a visit if the program counts visits, or the program's first trigger
   * otherwise.
   */
  readonly trigger: Trigger | null;
  readonly daysBefore: number;
};

/**
 * The collaborator of a fictitious touch. Touches belong to the same collaborator if they have the same id, or the same
 * name and no id.
 */
export type ImaginedCollaborator = {
  /** The id of an existing collaborator of the organization, whose custom rate applies. */
  readonly id: CollaboratorId | null;
  readonly name: string;
  readonly isEnrolled: boolean;
  readonly isBuyer: boolean;
  /** The earlier awards of the period, for tiers and caps. */
  readonly earned: Earned;
};

export type ProgramExample = {
  readonly explanation: Explanation;
  readonly program: ProgramVersion;
  readonly names: ReadonlyMap<CollaboratorId, string>;
};

/**
 * Returns the decision on a fictitious sale after fictitious touches, as an explanation with the program and the names
 * of the collaborators. Uses the code that decides real sales. The program counts as active, and its group is ignored.
 * The result doesn't depend on the current date.
 */
export function exampleOf(
  { name, ...terms }: ProgramTerms & { readonly name: string },
  imagined: ImaginedSale,
  touches: readonly ImaginedTouch[],
): ProgramExample {
  const program: ProgramVersion = {
    ...terms,
    name,
    status: 'active',
    programId: PROGRAM,
    version: 1,
    configVersion: CONFIG,
  };
  const sale = saleOf(imagined);
  const firstSoldAt = sale.renewal?.originallySoldAt ?? sale.soldAt;
  const collaborators = numberCollaborators(terms, touches);
  const { candidates, unengaged } = claimsOf(program, collaborators, firstSoldAt);
  const claims = sale.renewal === null ? candidates : earnersOf(sale, firstSoldAt, candidates);
  const decision = decideSale(sale, claims, sale.renewal === null ? unengaged : []);
  return {
    explanation: explanationOf(sale, decision),
    program,
    names: new Map(collaborators.map(({ id, touch }) => [id, touch.collaborator.name])),
  };
}

const PROGRAM = 1 as ProgramId;
const CONFIG = 1 as ConfigVersion;
const OPPORTUNITY = 1 as OpportunityId;
const TRANSACTION = 1 as TransactionId;
const BUYER = 1 as UserId;
/** The date of the sale. Its day of the month exists in every month, as renewals need. */
const FIRST_SOLD_AT = utcMidnight(2026, 0, 1);
/** The currency code of a lead, which has no currency. */
const NO_CURRENCY = 'XXX';

function saleOf(imagined: ImaginedSale): Sale {
  const { kind, renewalNumber, monthsAfterSale } = imagined;
  const isLead = kind === 'lead';
  const isRenewal = kind === 'renewal';
  const total = imagined.total ?? totalOf(imagined.items, imagined.currency);
  return {
    kind,
    opportunityState: 'active',
    visitorUserId: BUYER,
    currency: isLead ? NO_CURRENCY : imagined.currency,
    total: isLead ? (0n as Minor) : total,
    soldAt: isRenewal ? addMonths(FIRST_SOLD_AT, monthsAfterSale) : FIRST_SOLD_AT,
    lines: isLead ? [] : soldLines(imagined.items, total, imagined.currency),
    renewal: isRenewal ? { number: renewalNumber, originallySoldAt: FIRST_SOLD_AT } : null,
    inPayableUnits: true,
  };
}

type Numbered = { readonly id: CollaboratorId; readonly touch: ImaginedTouch };

/**
 * Returns the touches, the oldest first, each with its collaborator's id. A collaborator without an id gets an id that
 * no terms refer to.
 */
function numberCollaborators({ collaboratorRewards }: ProgramTerms, touches: readonly ImaginedTouch[]): Numbered[] {
  const known = touches.flatMap(({ collaborator }) => collaborator.id ?? []);
  const taken = new Set<number>([...known, ...collaboratorRewards.map(({ collaboratorId }) => collaboratorId)]);
  const byName = new Map<string, CollaboratorId>();
  let next = 1;
  const numberOf = ({ id, name }: ImaginedCollaborator): CollaboratorId => {
    const given = id ?? byName.get(name);
    if (given !== undefined) return given;
    while (taken.has(next)) next += 1;
    const fresh = next as CollaboratorId;
    next += 1;
    byName.set(name, fresh);
    return fresh;
  };
  return touches
    .map((touch) => ({ id: numberOf(touch.collaborator), touch }))
    .sort((a, b) => b.touch.daysBefore - a.touch.daysBefore);
}

/**
 * Returns an engagement for each collaborator with a touch that counts, and a reason for each collaborator with a touch
 * that doesn't count.
 */
function claimsOf(
  program: ProgramVersion,
  touches: readonly Numbered[],
  soldAt: Instant,
): { readonly candidates: Candidate[]; readonly unengaged: Unengaged[] } {
  const candidates = new Map<CollaboratorId, Candidate>();
  const unengaged = new Map<CollaboratorId, Unengaged>();
  for (const [index, { id, touch }] of touches.entries()) {
    const { isEnrolled, isBuyer, earned } = touch.collaborator;
    const referrer = { collaboratorId: id, userId: null, enrolledIn: new Set(isEnrolled ? [PROGRAM] : []) };
    const { touches: made, reason } = touchesOf(referrer, [program], touch.trigger ?? usualTrigger(program));
    if (reason !== null) unengaged.set(id, { collaboratorId: id, reason });
    for (const { points } of made) {
      const at = addDays(soldAt, -touch.daysBefore);
      const visit = (index + 1) as EventId;
      const before = candidates.get(id);
      candidates.set(id, {
        engagementId: id as number as EngagementId,
        opportunityId: OPPORTUNITY,
        program,
        groupRule: null,
        collaboratorId: id,
        collaborator: { active: true, userId: isBuyer ? BUYER : null, enrolled: isEnrolled },
        completedBy: null,
        weight: null,
        earned: { tier: earned, cap: earned },
        score: (before?.score ?? 0) + points,
        firstVisitId: before?.firstVisitId ?? visit,
        firstAt: before?.firstAt ?? at,
        lastVisitId: visit,
        lastAt: at,
        fraudSignals: NO_FRAUD_SIGNALS, // Fictitious touches have no fraud signals.
      });
    }
  }
  return { candidates: [...candidates.values()], unengaged: [...unengaged.values()] };
}

function usualTrigger({ triggers }: ProgramTerms): Trigger {
  return Object.hasOwn(triggers, SITE_VISIT) ? SITE_VISIT : (Object.keys(triggers)[0] ?? SITE_VISIT);
}

/**
 * Returns the candidates of a renewal: the earners of its sale, with the weights of the sale's decision. The sale is
 * decided as if there were no earlier awards.
 */
function earnersOf(renewal: Sale, soldAt: Instant, candidates: readonly Candidate[]): Candidate[] {
  const none: Earned = { sum: 0n as Minor, count: 0 };
  const first = candidates.map((candidate) => ({ ...candidate, earned: { tier: none, cap: none } }));
  const { awards } = decideSale({ ...renewal, kind: 'sale', soldAt, renewal: null }, first, []);
  return candidates.flatMap((candidate) => {
    const award = awards.find(({ collaboratorId }) => collaboratorId === candidate.collaboratorId);
    return award === undefined ? [] : [{ ...candidate, weight: award.weight }];
  });
}

function explanationOf(
  sale: Sale,
  { base, reason, candidates }: Pick<Explanation, 'base' | 'reason'> & { candidates: readonly ExplainedCandidate[] },
): Explanation {
  return {
    transactionId: TRANSACTION,
    kind: sale.kind,
    transaction: {
      source: 'example',
      externalId: 'example',
      occurredAt: sale.soldAt,
      total: sale.total,
      renewal: sale.renewal === null ? null : { of: TRANSACTION, number: sale.renewal.number },
    },
    decidedAt: sale.soldAt,
    base,
    currency: sale.currency,
    reason,
    candidates,
    omitted: 0,
  };
}
