// npm publish: refuses a package without a repository or homepage. The project has no public address yet, and an
// invented address could belong to a stranger.
import { readFileSync } from 'node:fs';

const { name, repository, homepage } = JSON.parse(readFileSync('package.json', 'utf8'));
if (repository === undefined || homepage === undefined) {
  console.error(
    `${name} has no "repository" or "homepage" in its package.json. Add the public address of the project.`,
  );
  process.exitCode = 1;
}
