// Bundles web/console and web/portal for browsers: one chunk for each page, file names with a content hash, one
// stylesheet, and the index.html that loads them. Called by build.mjs. This is plain JavaScript, because the bootstrap
// may run it on an older Node.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/**
 * The oldest supported browsers, released in the middle of 2024. They support nesting, layers and `light-dark()`, which
 * are therefore not transpiled.
 */
const TARGET = ['chrome125', 'firefox128', 'safari17.5'];
/** The folder of the chunks, the styles, and the licenses of the bundled packages. */
const ASSETS = 'assets';
const ALL_STYLES = 'whence:styles';

/**
 * Bundles the application in `folder`, and writes the result to the folder `into`, with index.html and packages.json
 * (the list of bundled packages). `root` is the root of the repository, which contains web/ui.
 */
export async function bundlePages(root, folder, into) {
  // Imported here because the bootstrap loads this file before anything is installed.
  const { build } = await import('esbuild');
  const options = {
    absWorkingDir: root,
    outdir: join(into, ASSETS),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.woff2': 'file' },
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    target: TARGET,
    charset: 'utf8',
    legalComments: 'external',
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    logLevel: 'warning',
  };
  const main = join(folder, 'main.tsx');
  // The first build only finds the stylesheets that the application imports, because the application uses only a part
  // of web/ui. A page that imports ALL_STYLES itself, as the gallery does, gets the stylesheets of all components.
  const plugins = [allStyles(root, folder)];
  const { metafile: found } = await build({ ...options, entryPoints: { main }, plugins, write: false });
  const imported = new Set(Object.keys(found.inputs).map((path) => join(root, path)));
  const { metafile } = await build({
    ...options,
    entryPoints: { main, style: ALL_STYLES },
    plugins: [allStyles(root, folder, imported)],
  });
  const { scripts, style } = firstLoad(metafile, join(into, ASSETS), root);
  // Remove the stylesheets of the chunks, because the single stylesheet contains all of them.
  for (const name of readdirSync(join(into, ASSETS))) {
    if (name.endsWith('.css') && name !== style) rmSync(join(into, ASSETS, name));
  }
  writeFileSync(join(into, 'index.html'), page(scripts, style, fontIn(metafile)));
  writeFileSync(join(into, 'packages.json'), JSON.stringify(packagesIn(metafile)));
}

/** Returns the folders of the bundled packages, such as `node_modules/react`, for the list of licenses. */
function packagesIn({ outputs }) {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/**
 * Returns an esbuild plugin that builds one stylesheet from the global stylesheets and the imported CSS modules of
 * web/ui and of the application. Without `imported`, it includes all CSS modules. Separate stylesheets for lazy chunks
 * would need further requests, and the chunks don't load them.
 */
function allStyles(root, folder, imported) {
  const sheets = [join(root, 'web', 'ui'), folder]
    .flatMap(sheetsIn)
    .filter((path) => imported === undefined || !isModule(path) || imported.has(path));
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

/**
 * Returns the paths of the stylesheets in `folder`, except built stylesheets. Global stylesheets (layers and
 * properties) are listed before CSS modules.
 */
function sheetsIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('.css') && !path.startsWith('dist'))
    .sort((a, b) => isModule(a) - isModule(b) || (a < b ? -1 : 1))
    .map((path) => join(folder, path));
}

function isModule(path) {
  return Number(path.endsWith('.module.css'));
}

/**
 * Returns the entry script, all scripts that it imports statically, and the stylesheet. The page preloads these
 * scripts, so that the browser requests them concurrently.
 */
function firstLoad({ outputs }, folder, root) {
  const nameOf = (path) => relative(folder, join(root, path));
  const [entry] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('main.tsx'));
  const scripts = new Set([entry]);
  // The loop also visits the scripts that it adds to the set.
  for (const script of scripts) {
    for (const { path, kind } of outputs[script].imports) if (kind === 'import-statement') scripts.add(path);
  }
  const [style] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(ALL_STYLES));
  return { scripts: [...scripts].map(nameOf), style: nameOf(style) };
}

/**
 * Returns the font with the Latin letters, if there is one. It is preloaded, so that text appears in its final font.
 */
function fontIn({ outputs }) {
  return Object.keys(outputs).find((path) => /-latin-wght-normal-\w+\.woff2$/.test(path));
}

/**
 * Returns the HTML of the page. Before src/app/pages/web-pages.ts sends the page, it replaces `{root}` with the path of
 * the application, and `{place}` with attributes of `<html>`.
 */
function page([entry, ...others], style, font) {
  const at = (name) => `{root}/${ASSETS}/${basename(name)}`;
  return `<!doctype html>
<html lang="en"{place}>
  <head>
    <meta charset="utf-8">
    <title>Whence</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="data:,">
${font === undefined ? '' : `    <link rel="preload" as="font" type="font/woff2" crossorigin href="${at(font)}">\n`}    <link rel="stylesheet" href="${at(style)}">
${others.map((name) => `    <link rel="modulepreload" href="${at(name)}">\n`).join('')}    <script type="module" src="${at(entry)}"></script>
  </head>
  <body>
    <div id="root"></div>
    <noscript>This page needs JavaScript.</noscript>
  </body>
</html>
`;
}
