// Bundles console/ and portal/ for browsers: a chunk for each page, names by content, one stylesheet, and the index.html
// that leads to them. Called by build.mjs; plain JavaScript, as that is.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/** What an evergreen browser of the last two years knows: nesting, layers and `light-dark()` stay as they are written. */
const TARGET = ['chrome125', 'firefox128', 'safari17.5'];
/** Chunks, styles, and the licences of what is in them. */
const ASSETS = 'assets';
const ALL_STYLES = 'whence:styles';

/** Bundles the application of `folder` into `into`. `root` is the repository's, whose ui/ it uses. */
export async function bundlePages(root, folder, into) {
  // Not at the top: the bootstrap loads this file before anything is installed.
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: join(folder, 'main.tsx'), style: ALL_STYLES },
    outdir: join(into, ASSETS),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    target: TARGET,
    charset: 'utf8',
    legalComments: 'external',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [allStyles(root, folder)],
    metafile: true,
    logLevel: 'warning',
  });
  const { scripts, style } = firstLoad(metafile, join(into, ASSETS), root);
  // Those of the chunks: all of it is in the one.
  for (const name of readdirSync(join(into, ASSETS))) {
    if (name.endsWith('.css') && name !== style) rmSync(join(into, ASSETS, name));
  }
  writeFileSync(join(into, 'index.html'), page(scripts, style));
}

/**
 * One stylesheet with each sheet of ui/ and of the application: one of a chunk that comes later would be a second request,
 * and esbuild leaves it to others to make it.
 */
function allStyles(root, folder) {
  const sheets = [join(root, 'ui'), folder].flatMap(sheetsIn);
  return {
    name: 'all-styles',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${ALL_STYLES}$`) }, ({ path }) => ({ path, namespace: 'styles' }));
      build.onLoad({ filter: /.*/, namespace: 'styles' }, () => ({
        contents: sheets.map((path) => `@import ${JSON.stringify(path)};`).join('\n'),
        loader: 'css',
        resolveDir: folder,
      }));
    },
  };
}

/** Those with names for all first: layers and properties. */
function sheetsIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('.css') && !path.startsWith('dist'))
    .sort((a, b) => isModule(a) - isModule(b) || (a < b ? -1 : 1))
    .map((path) => join(folder, path));
}

function isModule(path) {
  return Number(path.endsWith('.module.css'));
}

/** What the entry needs before it runs, so that all of it is asked for at once. */
function firstLoad({ outputs }, folder, root) {
  const nameOf = (path) => relative(folder, join(root, path));
  const [entry] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('main.tsx'));
  const scripts = new Set([entry]);
  // A set may grow while it is walked.
  for (const script of scripts) {
    for (const { path, kind } of outputs[script].imports) if (kind === 'import-statement') scripts.add(path);
  }
  const [style] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(ALL_STYLES));
  return { scripts: [...scripts].map(nameOf), style: nameOf(style) };
}

/** `{root}` and the attributes of `<html>` are written in by the service: src/http/web-pages.ts. */
function page([entry, ...others], style) {
  const at = (name) => `{root}/${ASSETS}/${basename(name)}`;
  return `<!doctype html>
<html lang="en"{place}>
  <head>
    <meta charset="utf-8">
    <title>Whence</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${at(style)}">
${others.map((name) => `    <link rel="modulepreload" href="${at(name)}">\n`).join('')}    <script type="module" src="${at(entry)}"></script>
  </head>
  <body>
    <div id="root"></div>
    <noscript>This page needs JavaScript.</noscript>
  </body>
</html>
`;
}
