/**
 * What a page needs to show the portal: passkeys and copying have to be allowed to a frame, and the frame is made as high as
 * the portal says that it is. docs/portal.md shows the same.
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
