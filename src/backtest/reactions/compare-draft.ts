import { readExplanation } from '#attribution/store/read/explanations.ts';
import { explanationText } from '#attribution/wording/explanation-text.ts';
import type { CollaboratorId, TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import { createBreaks } from '#platform/breaks.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { judgeLines } from '#programs/commands/judge-lines.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import { findProgramVersions } from '#programs/store/program-versions.ts';
import { loadLines } from '#sales/store/transactions.ts';
import {
  type ComparedLine,
  type ComparedSale,
  costPpm,
  type DraftResult,
  MAX_LINES,
  MAX_TEXT_LENGTH,
  splitAmongLines,
} from '../domain/backtest.ts';
import {
  findDiffering,
  type Outcome,
  readChangedHands,
  readMonths,
  readOutcomes,
  readPartners,
  readTotals,
  withRecordedDecisions,
} from '../store/outcomes.ts';

/** Compares the commissions of a decided draft with the commissions in the books. */
export async function compareDraft(
  tenant: Tenant<Connection>,
  name: string,
  signal: AbortSignal | undefined,
): Promise<DraftResult> {
  return {
    name,
    totals: (await readTotals(tenant)).map((total) => ({
      ...total,
      recordedPpm: costPpm(total.recorded, total.revenue),
      draftedPpm: costPpm(total.drafted, total.revenue),
    })),
    partners: await readPartners(tenant),
    months: await readMonths(tenant),
    lines: await compareLines(tenant, signal),
    hands: await readChangedHands(tenant),
    differing: await explainDiffering(tenant),
  };
}

/** The number of transactions whose lines are loaded at once. */
const TRANSACTIONS_AT_ONCE = 250;

/** The maximum number of different lines whose commissions are added up. The others are one sum for each currency. */
const MAX_KEPT_LINES = 20_000;

type LineSum = { readonly line: Pick<ComparedLine, 'currency' | 'name' | 'type'>; recorded: bigint; drafted: bigint };

async function compareLines(tenant: Tenant<Connection>, signal: AbortSignal | undefined): Promise<ComparedLine[]> {
  const sums = new Map<string, LineSum>();
  const versions = new Map<string, ProgramVersion>();
  const takeBreak = createBreaks();
  let after = 0 as TransactionId;
  for (;;) {
    signal?.throwIfAborted();
    const outcomes = await readOutcomes(tenant, after, TRANSACTIONS_AT_ONCE);
    const last = outcomes.at(-1);
    if (last === undefined) break;
    after = last.transactionId;
    await rememberVersions(tenant, outcomes, versions);
    const lines = await loadLines(tenant, [...new Set(outcomes.map(({ transactionId }) => transactionId))]);
    for (const outcome of outcomes) {
      const rules = versions.get(versionKey(outcome));
      const sold = lines.get(outcome.transactionId) ?? [];
      if (rules === undefined) throw new Error(`Program ${versionKey(outcome)} does not exist.`);
      await judgeLines(sold, [rules]);
      const parts = splitAmongLines(sold, { ...outcome, rules });
      if (parts === undefined) add(outcome, null, outcome.amount);
      for (const [n, part] of (parts ?? []).entries()) if (part > 0n) add(outcome, sold[n] ?? null, part);
      await takeBreak();
    }
  }
  return largestLines([...sums.values()]);

  function add(
    { currency, isDrafted }: Outcome,
    line: Pick<LineSum['line'], 'name' | 'type'> | null,
    part: Minor,
  ): void {
    const own = line === null ? null : `${currency} ${line.type} ${line.name}`;
    const isKept = own !== null && (sums.has(own) || sums.size < MAX_KEPT_LINES);
    const key = isKept ? own : currency;
    let sum = sums.get(key);
    if (sum === undefined) {
      const { name, type } = isKept && line !== null ? line : { name: null, type: null };
      sum = { line: { currency, name, type }, recorded: 0n, drafted: 0n };
      sums.set(key, sum);
    }
    sum[isDrafted ? 'drafted' : 'recorded'] += part;
  }
}

/**
 * Returns the lines with the largest commissions of each currency. Adds up the other lines of a currency in one line.
 */
function largestLines(sums: readonly LineSum[]): ComparedLine[] {
  const byCurrency = Map.groupBy(sums, ({ line }) => line.currency);
  return [...byCurrency]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([currency, all]) => {
      const named = all.filter(({ line }) => line.name !== null).toSorted((a, b) => compare(weightOf(b), weightOf(a)));
      const rest = [...all.filter(({ line }) => line.name === null), ...named.slice(MAX_LINES)];
      const listed = named.slice(0, MAX_LINES).map(({ line, recorded, drafted }): ComparedLine => {
        return { ...line, recorded: recorded as Minor, drafted: drafted as Minor };
      });
      if (rest.length === 0) return listed;
      const other: ComparedLine = {
        currency,
        name: null,
        type: null,
        recorded: rest.reduce((sum, { recorded }) => sum + recorded, 0n) as Minor,
        drafted: rest.reduce((sum, { drafted }) => sum + drafted, 0n) as Minor,
      };
      return [...listed, other];
    });
}

function weightOf({ recorded, drafted }: LineSum): bigint {
  return recorded > drafted ? recorded : drafted;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function rememberVersions(
  tenant: Tenant<Connection>,
  outcomes: readonly Outcome[],
  versions: Map<string, ProgramVersion>,
): Promise<void> {
  const missing = new Map(
    outcomes
      .filter((outcome) => !versions.has(versionKey(outcome)))
      .map((outcome) => [versionKey(outcome), { programId: outcome.programId, version: outcome.programVersion }]),
  );
  if (missing.size === 0) return;
  for (const version of await findProgramVersions(tenant, [...missing.values()])) {
    versions.set(versionKey({ ...version, programVersion: version.version }), version);
  }
}

function versionKey({ programId, programVersion }: Pick<Outcome, 'programId' | 'programVersion'>): string {
  return `${programId} v${programVersion}`;
}

/** Returns the transactions with the largest differences, with both explanations. */
async function explainDiffering(tenant: Tenant<Connection>): Promise<ComparedSale[]> {
  const differing = await findDiffering(tenant);
  const ids = differing.map(({ transactionId }) => transactionId);
  const drafted = await explain(tenant, ids, 'drafted');
  const recorded = await withRecordedDecisions(tenant, ids, () => explain(tenant, ids, 'recorded'));
  return differing.map((sale, n): ComparedSale => {
    const [was, would] = [recorded[n] as Explained, drafted[n] as Explained];
    const namedIds = [...new Set([...was.namedIds, ...would.namedIds])];
    return { ...sale, recordedText: was.text, draftedText: would.text, namedIds };
  });
}

/** The explanation of a decision, with the collaborators who are named in its text. */
type Explained = { readonly text: string; readonly namedIds: readonly CollaboratorId[] };

async function explain(
  tenant: Tenant<Connection>,
  ids: readonly TransactionId[],
  of: 'drafted' | 'recorded',
): Promise<Explained[]> {
  const explained: Explained[] = [];
  for (const id of ids) {
    const found = await readExplanation(tenant, id);
    if (found.kind !== 'found') throw new Error(`Transaction ${id} is not decided.`);
    const { explanation, circumstances } = found;
    // The conversions of a draft don't exist, so their ids and states would mislead. Manual credits do exist.
    const conversions = circumstances.conversions.filter(({ type }) => of === 'recorded' || type === 'manual');
    const whole = explanationText(explanation, { ...circumstances, conversions });
    const text = whole.length > MAX_TEXT_LENGTH ? `${whole.slice(0, MAX_TEXT_LENGTH - 1)}…` : whole;
    explained.push({ text, namedIds: [...circumstances.collaborators.keys()] });
  }
  return explained;
}
