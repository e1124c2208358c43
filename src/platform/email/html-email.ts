import { type Email, type EmailBrand, type EmailPart, WHENCE_BRAND } from './email.ts';

/**
 * Returns the HTML of an email. The template is MJML. The library mrml converts it to tables that look alike in common
 * email programs. The library is loaded for the first email, because it takes 120 ms and 14 MB.
 */
export async function renderHtml(mail: Email, brand: EmailBrand): Promise<string> {
  const { Engine } = await import('mrml');
  using engine = new Engine();
  // By default, the HTML loads fonts from Google, and Google would learn who opens an email.
  engine.setRenderOptions({ disableComments: false, socialIconOrigin: null, fonts: {} });
  const result = engine.toHtml(markup(mail, brand));
  if (result.type === 'error') throw new Error(`The MJML of the email can't be converted to HTML: ${result.message}.`);
  return result.content;
}

/** Fonts of the common operating systems. Most email programs don't load web fonts. */
const FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/**
 * The styles that MJML has no attributes for, including the colors of the dark scheme. The dark colors override the
 * colors that MJML writes into each element.
 */
const DARK = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  .content a { color: inherit; }
  .fact-name { color: #6b7280; padding: 4px 16px 4px 0; vertical-align: top; text-align: left; font-weight: normal; }
  .item { padding: 8px 0; border-top: 1px solid #8883; }
  .fact-value { padding: 4px 0; vertical-align: top; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
  @media (prefers-color-scheme: dark) {
    body, .page { background-color: #18181b !important; }
    .card, .card > table { background-color: #27272a !important; }
    .content div, .content table, .content td { color: #f4f4f5 !important; }
    .fact-name, .foot div { color: #a1a1aa !important; }
  }
  @media (max-width: 480px) { .card { border-radius: 0 !important; } }`;

function markup({ subject, parts, unsubscribeUrl }: Email, brand: EmailBrand): string {
  const [preview = ''] = parts.filter((part, index) => index > 0 && typeof part === 'string') as string[];
  return `<mjml lang="en" dir="auto">
  <mj-head>
    <mj-title>${escapeHtml(subject)}</mj-title>
    <mj-preview>${escapeHtml(preview.slice(0, 140))}</mj-preview>
    <mj-raw><meta name="color-scheme" content="light dark" /><meta name="supported-color-schemes" content="light dark" /></mj-raw>
    <mj-attributes>
      <mj-all font-family="${FONTS}" />
      <mj-text font-size="16px" line-height="24px" color="#18181b" padding="0 24px 16px" css-class="content" />
      <mj-table font-size="16px" line-height="24px" color="#18181b" padding="0 24px 16px" css-class="content" />
      <mj-button align="left" font-size="16px" font-weight="600" inner-padding="12px 20px" border-radius="8px" padding="0 24px 20px" css-class="button" />
    </mj-attributes>
    <mj-style>${DARK}</mj-style>
  </mj-head>
  <mj-body width="560px" background-color="#f4f4f5" css-class="page">
    <mj-section padding="24px 0 12px"><mj-column>${brandMarkup(brand)}</mj-column></mj-section>
    <mj-section background-color="#ffffff" border-radius="12px" padding="24px 0 8px" css-class="card">
      <mj-column>${parts.map((part) => partMarkup(part, brand)).join('\n')}</mj-column>
    </mj-section>${unsubscribeUrl === undefined ? '' : footMarkup(unsubscribeUrl, brand)}
  </mj-body>
</mjml>`;
}

function footMarkup(url: string, brand: EmailBrand): string {
  const why =
    brand === WHENCE_BRAND
      ? 'You can change how often you get this email in your account.'
      : `You get this email because you are a partner of ${escapeHtml(brand.name)}.`;
  return `
    <mj-section padding="16px 0 24px"><mj-column>
      <mj-text css-class="foot" font-size="13px" line-height="20px" color="#52525b" padding="0 24px">${why} <a href="${escapeHtml(url)}" style="color: inherit">Stop these emails</a></mj-text>
    </mj-column></mj-section>`;
}

function brandMarkup({ name, logoUrl }: EmailBrand): string {
  const title = `<mj-text font-size="18px" font-weight="600" padding="0 24px">${escapeHtml(name)}</mj-text>`;
  if (logoUrl === null) return title;
  return `<mj-image align="left" height="40px" width="160px" padding="0 24px" src="${escapeHtml(logoUrl)}" alt="${escapeHtml(name)}" />`;
}

function partMarkup(part: EmailPart, { accent }: EmailBrand): string {
  if (typeof part === 'string') return `<mj-text>${escapeHtml(part).replaceAll('\n', '<br />')}</mj-text>`;
  if ('link' in part) {
    return `<mj-button href="${escapeHtml(part.link)}" background-color="${escapeHtml(accent)}" color="${textColorOn(accent)}">${escapeHtml(part.label)}</mj-button>`;
  }
  if ('code' in part) {
    return `<mj-text font-size="24px" line-height="32px" font-weight="600" letter-spacing="2px">${escapeHtml(part.code)}</mj-text>`;
  }
  if ('written' in part) return `<mj-text>${withLinks(part.written)}</mj-text>`;
  if ('items' in part) {
    const items = part.items.map(
      ({ text, link }) => `<tr><td class="item"><a href="${escapeHtml(link)}">${escapeHtml(text)}</a></td></tr>`,
    );
    return `<mj-table>${items.join('')}</mj-table>`;
  }
  const rows = part.facts.map(
    ([name, value]) =>
      `<tr><th class="fact-name" scope="row">${escapeHtml(name)}</th><td class="fact-value">${escapeHtml(value)}</td></tr>`,
  );
  return `<mj-table>${rows.join('')}</mj-table>`;
}

/** Matches a web address in a text, without the punctuation that follows it. */
const WEB_ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]])/;

/** Escapes a text, and turns its web addresses into links. */
function withLinks(text: string): string {
  return text
    .split(WEB_ADDRESS)
    .map((piece, at) =>
      at % 2 === 0
        ? escapeHtml(piece).replaceAll('\n', '<br />')
        : `<a href="${escapeHtml(piece)}">${escapeHtml(piece)}</a>`,
    )
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // Escape braces, because some implementations of MJML read them as template variables.
  '{': '&#123;',
  '}': '&#125;',
};

/** Escapes text for MJML and HTML, in content and in attributes. */
function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(NOT_XML, '\uFFFD')
    .replaceAll(/[&<>"'{}]/g, (character) => ENTITIES[character] ?? character);
}

/** Matches characters that XML 1.0 doesn't allow (section 2.2). Lone surrogates are replaced earlier. */
const NOT_XML = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Returns the text color with the higher contrast on a background, according to WCAG 2. */
export function textColorOn(background: string): '#ffffff' | '#18181b' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(background.slice(at, at + 2), 16)),
  );
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / (0.0101 + 0.05) ? '#ffffff' : '#18181b';
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
