import type { ConversionId, ProgramId, TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import { type Base, baseOf } from '#programs/domain/reward.ts';
import { createBreaks } from '#platform/breaks.ts';
import { type Connection, planForMany } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findProgramVersions } from '#programs/store/program-versions.ts';
import type { RefundHistory } from '#sales/domain/refund.ts';
import { loadRevisedSales } from '#sales/store/refunds.ts';
import {
  loadOwed,
  loadShares,
  type RevisedConversion,
  savePastRejections,
  saveRevisedConversions,
  saveSettled,
  type Settled,
} from '../store/revisions.ts';
import { awardKey, correctedAwards, type RecordedDecision, type SaleContent } from '../domain/corrected-awards.ts';
import type { ExplainedCandidate } from '../domain/explanation.ts';
import { type PastRejection, revise } from '../domain/revision.ts';
import { type Period, periodsOf } from '#sales/domain/worth.ts';
import { judgeLines } from '#programs/commands/judge-lines.ts';
import { loadRecordedDecisions } from '../store/recorded-decisions.ts';

/**
 * Applies refunds, their reversals and corrections to locked transactions. Revalues their conversions, adjusts
 * obligations, and flags payouts with amounts that are no longer owed.
 *
 * The result depends on all existing reports, not on a single event. So it can run at any time, and repeating it
 * changes nothing. If no transaction was refunded or corrected, it takes one query.
 */
export async function reviseConversions(
  tenant: Tenant<Connection>,
  transactionIds: readonly TransactionId[],
): Promise<void> {
  const sales = await loadRevisedSales(tenant, transactionIds);
  if (sales.size === 0) return;
  const shares = await loadShares(tenant, [...sales.keys()]);
  if (shares.length === 0) return;
  if (shares.length > MANY_CONVERSIONS) await planForMany(tenant.connection);
  const owed = await loadOwed(
    tenant,
    shares.map(({ conversionId }) => conversionId),
  );
  const versions = await loadVersions(tenant, shares);
  const corrected = await loadCorrectedAwards(tenant, sales);

  const revised: RevisedConversion[] = [];
  const past: (PastRejection & { conversionId: ConversionId })[] = [];
  const settled: Settled[] = [];
  // The periods are computed once for all programs that count the same lines, because a sale can have many lines,
  // refunds, corrections and conversions.
  const periods = new Map<string, readonly Period[]>();
  const rulesOf = createRuleTexts();
  const takeBreak = createBreaks();
  for (const share of shares) {
    const { conversionId, transactionId } = share;
    const sale = requireFound(sales.get(transactionId), `Transaction ${transactionId}`);
    const debt = requireFound(owed.get(conversionId), `The obligation of conversion ${conversionId}`);
    const version = requireFound(versions.get(versionKey(share)), `Program ${versionKey(share)}`);
    // A correction doesn't change the amount of a manual credit, because a person chose that amount.
    const awards = share.type === 'manual' ? undefined : corrected.get(transactionId);
    const standing = { ...share, corrected: awards?.map((each) => each.get(awardKey(share)) ?? share.awarded) ?? [] };
    const key = `${transactionId} ${share.byQuantity} ${rulesOf(version)}`;
    let counted = periods.get(key);
    if (counted === undefined) {
      for (const { lines } of [...sale.corrections, sale]) await judgeLines(lines, [version]);
      counted = periodsOf(sale, version, share.byQuantity);
      periods.set(key, counted);
    }
    const revision = revise(sale, { ...standing, owed: debt }, counted);
    if (revision.conversion !== null) revised.push({ conversionId, change: revision.conversion });
    past.push(...revision.past.map((each) => ({ conversionId, ...each })));
    settled.push({ conversionId, transactionId, changes: revision.owed });
    await takeBreak();
  }
  await savePastRejections(tenant, past);
  await saveRevisedConversions(tenant, revised);
  await saveSettled(tenant, settled);
}

/** The number of conversions above which statements are planned for their actual values. */
const MANY_CONVERSIONS = 200;

/** Returns the awards after each correction of each corrected sale. The inner maps have the keys of `awardKey`. */
async function loadCorrectedAwards(
  tenant: Tenant<Connection>,
  sales: ReadonlyMap<TransactionId, RefundHistory>,
): Promise<Map<TransactionId, Map<string, Minor>[]>> {
  const corrected = [...sales].filter(([, { corrections }]) => corrections.length > 0);
  if (corrected.length === 0) return new Map();
  const decisions = await loadRecordedDecisions(
    tenant,
    corrected.map(([id]) => id),
  );
  const candidates = [...decisions.values()].flatMap((decision) => decision.candidates.flatMap(versionOf));
  const versions = await loadVersions(tenant, candidates);
  const awards = new Map<TransactionId, Map<string, Minor>[]>();
  for (const [id, sale] of corrected) {
    const decision = decisions.get(id);
    if (decision === undefined) continue;
    const keys = new Set(decision.candidates.flatMap((each) => versionOf(each).map(versionKey)));
    const programs = [...keys].flatMap((key) => versions.get(key) ?? []);
    const contents = [...sale.corrections.slice(1), sale];
    const after: Map<string, Minor>[] = [];
    for (const content of contents) after.push(await awardsAfter(decision, programs, content));
    awards.set(id, after);
  }
  return awards;
}

/**
 * Returns the awards of a decision for the corrected content of its sale. Yields to other tasks between programs,
 * because an organization can have hundreds of programs.
 */
async function awardsAfter(
  decision: Omit<RecordedDecision, 'programs'>,
  programs: readonly ProgramVersion[],
  content: SaleContent,
): Promise<Map<string, Minor>> {
  const awards = new Map<string, Minor>();
  const bases = new Map<string, Base>();
  const rulesOf = createRuleTexts();
  const takeBreak = createBreaks();
  for (const program of programs) {
    const { countedLines, lineFilter } = program;
    const rules = rulesOf(program);
    if (!bases.has(rules)) {
      await judgeLines(content.lines, [program]);
      bases.set(rules, baseOf(content.lines, countedLines, lineFilter));
    }
    const base = bases.get(rules) as Base;
    for (const [key, award] of correctedAwards({ ...decision, programs: [program] }, content, () => base)) {
      awards.set(key, award);
    }
    await takeBreak();
  }
  return awards;
}

/** Returns a function that returns the line rules of a program as text. Equal rules have the same text. */
function createRuleTexts(): (program: ProgramVersion) => string {
  const texts = new Map<ProgramVersion, string>();
  return (program) => {
    const text = texts.get(program) ?? JSON.stringify([program.countedLines, program.lineFilter]);
    texts.set(program, text);
    return text;
  };
}

type Versioned = { readonly programId: ProgramId; readonly programVersion: number };

function versionOf({ programId, programVersion }: ExplainedCandidate): Versioned[] {
  return programId === undefined || programVersion === undefined ? [] : [{ programId, programVersion }];
}

async function loadVersions(
  tenant: Tenant<Connection>,
  versioned: readonly Versioned[],
): Promise<Map<string, ProgramVersion>> {
  const wanted = new Map(
    versioned.map((each) => [versionKey(each), { programId: each.programId, version: each.programVersion }]),
  );
  const versions = await findProgramVersions(tenant, [...wanted.values()]);
  return new Map(versions.map((each) => [versionKey({ ...each, programVersion: each.version }), each]));
}

function versionKey(of: Versioned): string {
  return `${of.programId} v${of.programVersion}`;
}

function requireFound<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`${what} does not exist.`);
  return value;
}
