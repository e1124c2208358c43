// npm run db:shell: opens an SQL prompt on the service's database. Uses psql if it is installed, and otherwise a simple
// prompt of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Client, DatabaseError } from 'pg';
import { readConfig } from '#app/config.ts';
import { attachEmbedded } from '#platform/postgres/embedded/embedded.ts';

const { DATABASE_URL, WHENCE_DATA_DIR } = readConfig(process.env);
const url = DATABASE_URL ?? (await attachEmbedded(WHENCE_DATA_DIR))?.url;
if (url === undefined) {
  console.error(`No database runs in ${WHENCE_DATA_DIR}. Start the service first: npm start`);
  process.exit(1);
}
if (!(await runPsql(url))) await prompt(url);

/** Runs psql until it exits. Returns false if psql is not installed. */
async function runPsql(database: string): Promise<boolean> {
  const psql = spawn('psql', [database], { stdio: 'inherit' });
  // Ctrl-C cancels a query in psql and must not end this process.
  process.on('SIGINT', () => {});
  try {
    await once(psql, 'spawn');
  } catch {
    return false;
  }
  await once(psql, 'close');
  return true;
}

/** Reads statements that end with a semicolon and prints their rows, until the input ends. */
async function prompt(database: string): Promise<void> {
  const client = new Client({ connectionString: database });
  await client.connect();
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: 'whence=> ' });
  lines.prompt();
  let statement = '';
  for await (const line of lines) {
    statement += `${line}\n`;
    if (!line.trimEnd().endsWith(';')) continue;
    await run(client, statement);
    statement = '';
    lines.prompt();
  }
  await client.end();
}

async function run(client: Client, statement: string): Promise<void> {
  try {
    const { command, rows, rowCount } = await client.query<Record<string, unknown>>(statement);
    if (rows.length > 0) console.table(rows);
    else console.log(`${command} ${rowCount ?? ''}`);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    console.error(`${error.severity}: ${error.message}`);
  }
}
