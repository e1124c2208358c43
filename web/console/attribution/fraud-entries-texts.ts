export const fraudEntries = {
  label: { deny: 'Denied networks, pages and domains', allow: 'Allowed networks, pages and domains' },
  help: {
    deny: 'A commission always waits for review if a click came from one of these networks or pages, or the buyer has one of these email domains. This applies to all programs and partners.',
    allow:
      'Clicks from these networks don’t count as clicks from one address. Clicks from these pages are no ads. Buyers with these email domains are not compared with partners.',
  },
  kind: 'Kind',
  kinds: { network: 'Network', referrer: 'Page with the link', 'email-domain': 'Email domain of buyers' },
  placeholders: { network: '203.0.113.0/24', referrer: '*.coupons.example', 'email-domain': 'mail.example' },
  value: 'Value',
  note: 'Note',
  add: { deny: 'Add to the deny list', allow: 'Add to the allow list' },
  remove: (value: string) => `Remove ${value}`,
  removed: (value: string) => `${value} was removed. It stays on earlier clicks and sales.`,
  empty: { deny: 'The deny list is empty', allow: 'The allow list is empty' },
};
