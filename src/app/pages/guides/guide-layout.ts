import { escapeHtml, type Guides } from './guide-files.ts';

/** Returns the HTML of a page, or of the index if `path` is empty. `root` is the path of the guides. */
export function guidePage({ index, pages, groups }: Guides, path: string, root: string, basePath: string): string {
  const { title, html } = pages.get(path) ?? index;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${escapeHtml(title)} – Whence guides</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${root}/guides.css">
    <script src="${root}/guides.js" defer></script>
  </head>
  <body>
    <a class="skip" href="#content">Skip to content</a>
    <header>
      <a href="${root}" class="name">Whence guides</a>
      <search>
        <label for="search">Search</label>
        <input type="search" id="search" autocomplete="off" spellcheck="false" data-index="${root}/search.json">
        <p id="count" role="status"></p>
        <ul id="results" hidden></ul>
      </search>
      <a href="${basePath}/docs">API reference</a>
      <a href="#guides" class="to-guides">All guides</a>
    </header>
    <main id="content">
${html}
    </main>
    <nav id="guides" aria-label="Guides">
${groups
  .map(
    ({ heading, links }) =>
      `<h2>${escapeHtml(heading)}</h2>\n<ul>\n${links.map((link) => entryOf(link, path, root)).join('\n')}\n</ul>`,
  )
  .join('\n')}
    </nav>
  </body>
</html>
`;
}

function entryOf({ path, title }: Guides['groups'][number]['links'][number], current: string, root: string): string {
  return `<li><a href="${root}/${path}"${path === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;
}
