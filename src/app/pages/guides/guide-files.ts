import { readdir, readFile } from 'node:fs/promises';
import type { MarkedExtension, Token } from 'marked';

/** A page of the documentation. */
export type Guide = { readonly title: string; readonly html: string };

/** The text below one heading of a page, for the search. */
export type GuideSection = {
  readonly url: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
};

export type Guides = {
  readonly index: Guide;
  /** Pages by path, such as `how-to/upgrade`, in the order of docs/README.md. */
  readonly pages: ReadonlyMap<string, Guide>;
  /** The groups of docs/README.md, with the paths and titles of their pages. */
  readonly groups: readonly {
    readonly heading: string;
    readonly links: readonly { readonly path: string; readonly title: string }[];
  }[];
  readonly sections: readonly GuideSection[];
  readonly images: ReadonlyMap<string, URL>;
};

/** The heading in docs/README.md after which all pages are for contributors only. */
const CONTRIBUTORS = '\n## For contributors';

/**
 * Reads and converts the user documentation. `docs` is its folder. The links in docs/README.md determine the pages.
 * Links to files that are not served become plain text.
 */
export async function loadGuides(docs: URL, basePath: string): Promise<Guides> {
  // Import `marked` here, so that it is loaded only if someone opens the guides.
  const { Marked, marked } = await import('marked');
  const [readme = ''] = (await readFile(new URL('README.md', docs), 'utf8')).split(CONTRIBUTORS);
  const groups = groupsOf(readme);
  const paths = groups.flatMap(({ links }) => links.map(({ path }) => path));
  const urlOf = (link: string, from: string) => guideUrl(link, from, paths, basePath);
  const sections: GuideSection[] = [];
  const pages = new Map<string, Guide>();
  for (const path of paths) {
    const text = await readFile(new URL(`${path}.md`, docs), 'utf8');
    const html = await new Marked(createRenderer((link) => urlOf(link, path))).parse(text);
    const title = titleOf(text);
    pages.set(path, { title, html });
    sections.push(...sectionsOf(marked.lexer(text), title, `${basePath}/docs/guides/${path}`));
  }
  const html = await new Marked(createRenderer((link) => urlOf(link, ''))).parse(readme);
  const images = new Map(
    (await readdir(new URL('images/', docs))).map((name) => [name, new URL(`images/${name}`, docs)]),
  );
  return { index: { title: titleOf(readme), html }, pages, groups, sections, images };
}

function titleOf(text: string): string {
  return (text.split('\n').find((line) => line.startsWith('# ')) ?? '').slice(2);
}

function groupsOf(readme: string): Guides['groups'] {
  return readme
    .split('\n## ')
    .slice(1)
    .map((group) => ({
      heading: group.slice(0, group.indexOf('\n')),
      links: [...group.matchAll(/^- \[([^\]]+)\]\(([\w/-]+)\.md\)/gm)].map(([, title = '', path = '']) => ({
        title,
        path,
      })),
    }));
}

/**
 * Returns the address of a link in the page `from`, or undefined if its target is not served. Links to other hosts and
 * within the page stay unchanged.
 */
function guideUrl(link: string, from: string, paths: readonly string[], basePath: string): string | undefined {
  if (link.startsWith('#') || URL.canParse(link)) return link;
  const { pathname, hash } = new URL(link, `file:///docs/${from}`);
  const path = pathname.replace('/docs/', '').replace('.md', '');
  const isServed = paths.includes(path) || path.startsWith('images/');
  return isServed ? `${basePath}/docs/guides/${path}${hash}` : undefined;
}

/**
 * Returns the Markdown extension that converts links and headings, and lets readers scroll code blocks and tables with
 * the keyboard.
 */
function createRenderer(urlOf: (link: string) => string | undefined): MarkedExtension {
  return {
    renderer: {
      heading({ depth, text, tokens }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const url = urlOf(href);
        return url === undefined ? words : `<a href="${escapeHtml(url)}">${words}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(urlOf(href) ?? '')}" alt="${escapeHtml(text)}">`;
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string): string =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        const isNamed = token.header.some(({ text }) => text !== '');
        const head = isNamed ? `<thead><tr>${cells(token.header, 'th')}</tr></thead>` : '';
        return `<div class="wide" tabindex="0"><table>${head}<tbody>${rows}</tbody></table></div>\n`;
      },
    },
  };
}

/** Returns the anchor that GitHub generates for a heading. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** Splits a page at its headings. */
function sectionsOf(tokens: readonly Token[], page: string, url: string): GuideSection[] {
  const sections: { url: string; page: string; heading: string; text: string }[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = wordsOf(token);
      const place = sections.length === 0 ? url : `${url}#${anchorOf(String(token['text']))}`;
      sections.push({ url: place, page, heading, text: '' });
    } else {
      const last = sections.at(-1);
      if (last !== undefined) last.text += `${wordsOf(token)} `;
    }
  }
  return sections;
}

function wordsOf(token: Token): string {
  const inner = token as {
    readonly tokens?: readonly Token[];
    readonly items?: readonly Token[];
    readonly header?: readonly { readonly tokens: readonly Token[] }[];
    readonly rows?: readonly (readonly { readonly tokens: readonly Token[] }[])[];
    readonly text?: string;
  };
  const cells = [...(inner.header ?? []), ...(inner.rows ?? []).flat()].flatMap(({ tokens }) => tokens);
  const children = [...(inner.tokens ?? []), ...(inner.items ?? []), ...cells];
  if (children.length === 0) return inner.text ?? '';
  return children.map(wordsOf).join(['table', 'list', 'list_item'].includes(token.type) ? ' ' : '');
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
