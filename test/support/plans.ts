import { Client } from 'pg';

/** The parts of a plan from `explain (verbose, format json)` that the tests read. */
export type PlanNode = {
  readonly 'Node Type': string;
  readonly Operation?: string;
  readonly 'Relation Name'?: string;
  readonly Alias?: string;
  readonly 'Parent Relationship'?: string;
  readonly 'Subplan Name'?: string;
  readonly Output?: readonly string[];
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Filter?: string;
  readonly 'Join Filter'?: string;
  readonly 'Hash Cond'?: string;
  readonly 'Merge Cond'?: string;
  readonly Plans?: readonly PlanNode[];
};

export type Planned = { readonly statement: string; readonly plan: PlanNode };

export type PlanRecorder = {
  /** Returns the plans since the last `clear`, without duplicates. */
  readonly plans: () => Planned[];
  readonly clear: () => void;
  /** Stops recording for new connections. */
  readonly stop: () => void;
};

type Connect = (this: Client, ...given: unknown[]) => unknown;

/**
 * Settings that make each session report the plan of every statement, including the statements inside functions and
 * triggers.
 */
const SAYING_PLANS: Readonly<Record<string, string>> = {
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_verbose': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

/** Records the plans of statements on all connections that this process opens to `databaseUrl` from now on. */
export async function recordPlans(databaseUrl: string): Promise<PlanRecorder> {
  await sayPlans(databaseUrl);
  const planned = new Map<string, Planned>();
  const prototype = Client.prototype as unknown as { connect: Connect };
  const connect = prototype.connect;
  prototype.connect = function (...given) {
    this.on('notice', ({ message = '' }) => {
      const begin = message.indexOf('plan:\n');
      if (!message.startsWith('duration: ') || begin === -1) return;
      const text = message.slice(begin + 'plan:\n'.length);
      if (planned.has(text)) return;
      const { 'Query Text': statement, Plan: plan } = JSON.parse(text) as { 'Query Text': string; Plan: PlanNode };
      planned.set(text, { statement, plan });
    });
    return connect.apply(this, given);
  };
  return {
    plans: () => [...planned.values()],
    clear: () => planned.clear(),
    stop: () => {
      prototype.connect = connect;
    },
  };
}

async function sayPlans(databaseUrl: string): Promise<void> {
  const admin = new Client({ connectionString: databaseUrl });
  await admin.connect();
  try {
    await admin.query(`load 'auto_explain'`);
    const name = new URL(databaseUrl).pathname.slice(1);
    await admin.query(`alter database ${name} set session_preload_libraries = 'auto_explain'`);
    for (const [setting, value] of Object.entries(SAYING_PLANS)) {
      await admin.query(`alter database ${name} set ${setting} = '${value}'`);
    }
  } finally {
    await admin.end();
  }
}

/** Returns all nodes of a plan, the root first. */
export function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
