import type { Explanation, ExplainedCandidate } from './explanation.ts';
import { NO_SIGNS } from './hold.ts';
import type {
  CollaboratorId,
  ConfigVersion,
  EngagementId,
  EventId,
  OpportunityId,
  ProgramId,
  TransactionId,
  UserId,
} from './ids.ts';
import { addDays, addMonths, type Instant, utcMidnight } from './instant.ts';
import type { Minor } from './money.ts';
import type { PayableKind, ProgramTerms, ProgramVersion, Trigger } from './program.ts';
import type { Line } from './reward.ts';
import { type Candidate, decideSale, type Earned, type Sale, type Unengaged } from './sale-decision.ts';
import { soldLines } from './sold-lines.ts';
import { SITE_VISIT, touchesOf } from './visit.ts';

/** A sale, lead or renewal that nobody has made. */
export type ImaginedSale = {
  readonly kind: PayableKind;
  /** Null: what the lines add up to, or 100.00. */
  readonly total: Minor | null;
  readonly currency: string;
  readonly items: readonly Line[];
  /** Of a renewal: which one of its sale it is, and how many calendar months after that. */
  readonly renewalNumber: number;
  readonly monthsAfterSale: number;
};

/** A touch that nobody has made, so many days of 24 hours before the sale. */
export type ImaginedTouch = {
  readonly collaborator: ImaginedCollaborator;
  /** Null: a visit where the program counts visits, else the first trigger that it has. */
  readonly trigger: Trigger | null;
  readonly daysBefore: number;
};

/** Where two touches have the same number, or the same name and no number, one collaborator has made both. */
export type ImaginedCollaborator = {
  /** One of the organization's, whose own reward applies. */
  readonly id: CollaboratorId | null;
  readonly name: string;
  readonly isEnrolled: boolean;
  /** Whether it is their own purchase. */
  readonly isBuyer: boolean;
  /** What they had been awarded in the period before, for tiers and caps. */
  readonly earned: Earned;
};

export type ProgramExample = {
  readonly explanation: Explanation;
  readonly program: ProgramVersion;
  readonly names: ReadonlyMap<CollaboratorId, string>;
};

/**
 * What a program would pay for an imagined sale after imagined touches, decided by what decides real ones. The program is
 * taken as active and alone: no other one of its group takes part. Nothing of it depends on the day on which it is asked.
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
  const collaborators = numbered(terms, touches);
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
/** Any day would do, if the months after it are long enough for renewals to fall on the same one. */
const FIRST_SOLD_AT = utcMidnight(2026, 0, 1);
const USUAL_TOTAL = 100_00n as Minor;
/** No currency: that of a lead. */
const NO_CURRENCY = 'XXX';

function saleOf(imagined: ImaginedSale): Sale {
  const { kind, renewalNumber, monthsAfterSale } = imagined;
  const isLead = kind === 'lead';
  const isRenewal = kind === 'renewal';
  const total = imagined.total ?? totalOf(imagined.items);
  return {
    kind,
    opportunityState: 'active',
    visitorUserId: BUYER,
    currency: isLead ? NO_CURRENCY : imagined.currency,
    total: isLead ? (0n as Minor) : total,
    soldAt: isRenewal ? addMonths(FIRST_SOLD_AT, monthsAfterSale) : FIRST_SOLD_AT,
    lines: isLead ? [] : soldLines(imagined.items, total),
    renewal: isRenewal ? { number: renewalNumber, originallySoldAt: FIRST_SOLD_AT } : null,
  };
}

/** Never below zero: no order is. */
function totalOf(items: readonly Line[]): Minor {
  if (items.length === 0) return USUAL_TOTAL;
  const sum = items.reduce((all, { amount, quantity }) => all + amount * BigInt(quantity), 0n);
  return (sum > 0n ? sum : 0n) as Minor;
}

type Numbered = { readonly id: CollaboratorId; readonly touch: ImaginedTouch };

/** Touches in their order, each with its collaborator's number; who has none gets one that nobody's terms name. */
function numbered({ collaboratorRewards }: ProgramTerms, touches: readonly ImaginedTouch[]): Numbered[] {
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

/** What the touches lead to: an engagement for each collaborator who may earn, the reason for those who may not. */
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
        signs: NO_SIGNS, // nobody clicks here
      });
    }
  }
  return { candidates: [...candidates.values()], unengaged: [...unengaged.values()] };
}

function usualTrigger({ triggers }: ProgramTerms): Trigger {
  return Object.hasOwn(triggers, SITE_VISIT) ? SITE_VISIT : (Object.keys(triggers)[0] ?? SITE_VISIT);
}

/** A renewal's candidates: who earns by its sale, with the weights of then. Nobody had earned anything before that sale. */
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
