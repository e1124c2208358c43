export const taxSettings = {
  title: 'Tax details',
  help: 'The data about partners that tax reports ask for, such as Form 1099-NEC and DAC7. It is stored encrypted.',
  setting: 'Tax details of partners',
  options: {
    'not-asked': { label: 'Not asked', description: 'The portal doesn’t ask for them' },
    asked: { label: 'Asked', description: 'Partners are also paid without them' },
    required: { label: 'Required for payouts', description: 'Partners without them can’t be paid' },
  },
  save: 'Save',
  saved: 'The payout settings are saved',
};
