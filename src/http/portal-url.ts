/** Where a portal is; `publicUrl` is where people reach the service. */
export function portalUrl(publicUrl: string, slug: string): string {
  return `${publicUrl}/portal/${slug}/`;
}
