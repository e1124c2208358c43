import type { Whence } from '@whence/sdk';

/** Opens the portal as a partner sees it. */
export async function openPreview(api: Whence, collaboratorId: number): Promise<void> {
  const { url } = await api.collaborators.previewPortal(collaboratorId);
  // Open only the path of the URL. The preview's cookie belongs to the host of this page, which can differ from the host
  // in the URL.
  location.assign(new URL(url).pathname);
}
