import { nodesOf, type Planned, type PlanNode } from './plans.ts';

/**
 * Returns the parts of a statement that its plan does not restrict to one organization. The result is empty if the
 * whole statement is restricted.
 *
 * The organization of every scanned table must equal one value (`organization_id = $1`) or the organization of a
 * restricted row. The same applies to inserted rows. The planner propagates a condition from one joined table to the
 * others, so a statement need not repeat the condition. A database that is sharded by organization
 * determines the machine in the same way.
 */
export function spansOrganizations({ statement, plan }: Planned, tables: ReadonlySet<string>): string[] {
  const nodes = nodesOf(plan);
  // A bitmap can combine several index scans, and a row may match only one of them. So ignore these scans. The node
  // above them checks the conditions of all rows.
  const conditions = nodes
    .filter((node) => node['Node Type'] !== 'Bitmap Index Scan')
    .flatMap((node) => CONDITIONS.flatMap((name) => equalities(node[name] ?? '')));
  const scans = nodes.filter((node) => node['Node Type'].endsWith('Scan') && isOne(node['Relation Name'], tables));
  const inserts = nodes.filter((node) => node.Operation === 'Insert' && isOne(node['Relation Name'], tables));
  const values = new Map(scans.map((scan) => [nameOf(scan), valuesOf(organizationOf(scan), conditions)]));
  for (const insert of inserts) values.set(`rows for ${nameOf(insert)}`, [insertedInto(insert)]);
  const held = heldBy(values, nodes, tables);
  const loose = [...values]
    .filter(([name]) => !held.has(name))
    .map(([name, of]) => `${name}: ${of.join(', ') || 'free'}`);
  for (const column of nodes.filter(isGivenAsRows).flatMap(organizationsIn)) loose.push(`${column}: given as rows`);
  const fixed = new Set([...values.values()].flat().filter((value) => isGiven(value, statement, nodes)));
  return fixed.size > 1 ? [...loose, `several: ${[...fixed].join(', ')}`] : loose;
}

const CONDITIONS = ['Index Cond', 'Recheck Cond', 'Filter', 'Join Filter', 'Hash Cond', 'Merge Cond'] as const;
/** Matches a parameter, a constant, or the single value of a subquery. */
const ONE_VALUE = /^(\$\d+|\d+|\(InitPlan \d+\)\.col1)$/;

/**
 * Returns whether the value is a parameter or a constant of the statement. PostgreSQL 15 and 16 also show computed
 * values as parameters, with a number that the statement doesn't use or that a subquery returns. A function's text
 * shows no parameters, so in functions all parameters count as given unless a subquery returns them.
 */
function isGiven(value: string, statement: string, nodes: readonly PlanNode[]): boolean {
  if (!value.startsWith('$')) return /^\d+$/.test(value);
  const parameters: readonly string[] | null = statement.match(/\$\d+/g);
  if (parameters !== null) return parameters.includes(value);
  return !nodes.some((node) => node['Subplan Name']?.includes(`returns ${value})`));
}

/**
 * Returns the names of the tables and inserted rows that are restricted to one organization. Their organization must
 * equal one value, or the organization of another restricted table.
 */
function heldBy(
  values: ReadonlyMap<string, readonly string[]>,
  nodes: readonly PlanNode[],
  tables: ReadonlySet<string>,
): Set<string> {
  const held = new Set<string>();
  // Rows of subqueries and trigger tables are restricted if their source is restricted. The source is checked
  // separately.
  const columns = new Set(nodes.filter(isDerived).flatMap(organizationsIn));
  for (let before = -1; before < held.size;) {
    before = held.size;
    for (const [name, of] of values)
      if (of.some((value) => ONE_VALUE.test(value) || columns.has(value))) held.add(name);
    for (const node of nodes) {
      if (isOne(node['Relation Name'], tables) && held.has(nameOf(node))) columns.add(organizationOf(node));
    }
  }
  return held;
}

function isDerived(node: PlanNode): boolean {
  return ['CTE Scan', 'Subquery Scan', 'WorkTable Scan', 'Named Tuplestore Scan'].includes(node['Node Type']);
}

function isGivenAsRows(node: PlanNode): boolean {
  return ['Function Scan', 'Values Scan'].includes(node['Node Type']);
}

function organizationsIn(node: PlanNode): string[] {
  return (node.Output ?? []).filter((column) => column.endsWith('.organization_id'));
}

/**
 * Returns the organization of the inserted rows. It is the first column of the rows, because it is the first column of
 * the table. Only the node's outer child produces rows. The other children are subqueries.
 */
function insertedInto(insert: PlanNode): string {
  let rows = insert.Plans?.find((child) => child['Parent Relationship'] === 'Outer');
  while (rows?.Alias !== undefined && rows.Output?.[0]?.startsWith(`"${rows.Alias}".`)) rows = rows.Plans?.[0];
  return plain(rows?.Output?.[0] ?? '');
}

function isOne(name: string | undefined, tables: ReadonlySet<string>): boolean {
  return name !== undefined && tables.has(name);
}

function nameOf(node: PlanNode): string {
  return `${node['Relation Name']} ${node.Alias ?? ''}`.trim();
}

function organizationOf(node: PlanNode): string {
  return `${node.Alias}.${node['Relation Name'] === 'organizations' ? 'id' : 'organization_id'}`;
}

function valuesOf(column: string, conditions: readonly Equality[]): string[] {
  return conditions.flatMap(({ left, right }) =>
    left === column ? [plain(right)] : right === column ? [plain(left)] : [],
  );
}

/** Returns a value without brackets and, for a constant, without the type that the plan sometimes adds. */
function plain(value: string): string {
  const bare = withoutBrackets(value);
  return /^'(\d+)'::bigint$/.exec(bare)?.[1] ?? bare;
}

type Equality = { readonly left: string; readonly right: string };

function equalities(condition: string): Equality[] {
  return conjuncts(condition).flatMap((text) => {
    const [, left, right] = /^(\S+) = (\S+|\(InitPlan \d+\)\.col1)$/.exec(text) ?? [];
    return left === undefined || right === undefined ? [] : [{ left, right }];
  });
}

/** Returns the parts of a condition that are joined with AND. */
function conjuncts(condition: string): string[] {
  const text = withoutBrackets(condition);
  const parts = splitOutside(text, ' AND ');
  return parts.length === 1 ? [text] : parts.flatMap(conjuncts);
}

function withoutBrackets(text: string): string {
  return text.startsWith('(') && closingOf(text) === text.length - 1 ? withoutBrackets(text.slice(1, -1)) : text;
}

function closingOf(text: string): number {
  let depth = 0;
  for (const { index, 0: found } of text.matchAll(/'(?:[^']|'')*'|[()]/g)) {
    if (found === '(') depth += 1;
    if (found === ')' && (depth -= 1) === 0) return index;
  }
  return -1;
}

function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let begun = 0;
  for (const { index, 0: found } of text.matchAll(/'(?:[^']|'')*'|[()]| AND /g)) {
    if (found === '(') depth += 1;
    if (found === ')') depth -= 1;
    if (found === separator && depth === 0) {
      parts.push(text.slice(begun, index));
      begun = index + separator.length;
    }
  }
  return [...parts, text.slice(begun)];
}
