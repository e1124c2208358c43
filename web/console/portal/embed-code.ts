/**
 * Returns the HTML that embeds the portal in a page. docs/reference/portal.md shows the same code.
 *
 * The frame needs permission for passkeys and for copying. Its height follows the messages of the portal.
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
