/**
 * Returns the HTML that embeds the portal in a page. The frame needs permission for passkeys and copying, and its
 * height follows the portal's messages. docs/reference/portal.md shows the same code.
 */
export function embedCode({ url, name }: { readonly url: string; readonly name: string }): string {
  const title = name.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<iframe id="whence-portal" src="${url}" title="${title}" height="800" style="display: block; width: 100%; border: 0" allow="publickey-credentials-get; clipboard-write"></iframe>
<script>
  addEventListener('message', ({ origin, data }) => {
    if (origin !== '${new URL(url).origin}' || data.type !== 'whence-portal') return;
    document.getElementById('whence-portal').style.height = data.height + 'px';
  });
</script>`;
}
