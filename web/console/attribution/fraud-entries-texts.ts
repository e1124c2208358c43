export const fraudEntries = {
  label: { deny: 'Denied networks, sites and domains', allow: 'Allowed networks, sites and domains' },
  help: {
    deny: 'A commission always waits for review if a click came from one of these networks or sites, or the buyer has one of these email domains. This applies to all programs and partners.',
    allow:
      'Clicks from these networks don’t count toward the limit for one address. Clicks from these sites aren’t treated as ads. Buyers with these email domains aren’t compared with partners.',
  },
  kind: 'Kind',
  kinds: { network: 'Network', referrer: 'Referring site', 'email-domain': 'Email domain of buyers' },
  placeholders: { network: '203.0.113.0/24', referrer: '*.coupons.example', 'email-domain': 'mail.example' },
  value: 'Value',
  note: 'Note',
  add: { deny: 'Add to the deny list', allow: 'Add to the allow list' },
  remove: (value: string) => `Remove ${value}`,
  removed: (value: string) => `${value} was removed. Earlier clicks and sales don’t change.`,
  empty: { deny: 'The deny list is empty', allow: 'The allow list is empty' },
};
