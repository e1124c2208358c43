import type { ShownFile } from '#web/ui/materials/material-file.tsx';

/** Returns the HTML of an image with a link. */
export function embedCode({ url, width, height }: ShownFile, title: string, link: string): string {
  const size = width === null || height === null ? '' : ` width="${width}" height="${height}"`;
  return `<a href="${escapeHtml(link)}"><img src="${escapeHtml(url)}" alt="${escapeHtml(title)}"${size}></a>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
