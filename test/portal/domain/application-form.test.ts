import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkAnswers, type FormField, formFaults, MAX_SHORT_ANSWER } from '#portal/domain/application-form.ts';

const field = (label: string, given: Partial<FormField> = {}): FormField => ({
  label,
  type: 'short-text',
  required: false,
  choices: [],
  ...given,
});
const FORM = [
  field('Name of the channel'),
  field('About', { type: 'long-text', required: true }),
  field('Channel', { type: 'choice', choices: ['Blog', 'Podcast'] }),
  field('Adult', { type: 'checkbox', required: true }),
  field('Site', { type: 'url' }),
];
const whole = { About: 'Tea', Adult: 'yes' };
const check = (answers: Readonly<Record<string, string>>) =>
  checkAnswers(
    FORM,
    Object.entries(answers).map(([label, value]) => ({ label, value })),
  );
const codes = (answers: Readonly<Record<string, string>>) => {
  const checked = check(answers);
  return checked.kind === 'faulty' ? [...checked.faults].map(([at, { code }]) => `${at} ${code}`) : [];
};

describe('checkAnswers: the answers of an applicant', () => {
  it('returns the answers in the order of the form, trimmed, without empty answers', () => {
    assert.deepEqual(check({ Site: 'tea.example', Channel: ' ', ...whole, About: ' Tea\nand pots ' }), {
      kind: 'valid',
      answers: [
        { label: 'About', value: 'Tea\nand pots' },
        { label: 'Adult', value: 'yes' },
        { label: 'Site', value: 'https://tea.example' },
      ],
    });
  });

  it('requires an answer to each required field', () => {
    assert.deepEqual(codes({}), ['0 required', '1 required']);
    assert.deepEqual(codes({ About: ' ', Adult: 'yes' }), ['0 required']);
    assert.deepEqual(codes({ About: '', Site: '' }), ['0 required', '2 required']);
  });

  it('refuses an answer that its field does not allow', () => {
    assert.deepEqual(codes({ ...whole, Channel: 'TV' }), ['2 unknown-value']);
    assert.deepEqual(codes({ ...whole, Adult: 'no' }), ['1 unknown-value']);
    assert.deepEqual(codes({ ...whole, 'Name of the channel': 'x'.repeat(MAX_SHORT_ANSWER + 1) }), ['2 too-long']);
    assert.deepEqual(codes({ ...whole, 'Name of the channel': 'x'.repeat(MAX_SHORT_ANSWER), Channel: 'Blog' }), []);
  });

  it('refuses an answer to a field that the form no longer has', () => {
    assert.deepEqual(codes({ ...whole, Age: '40' }), ['2 unknown-value']);
  });

  it('accepts only web addresses in a field of the type url, with or without a scheme', () => {
    for (const url of ['https://tea.example/a?b=c', 'http://tea.example', 'tea.example'])
      assert.deepEqual(codes({ ...whole, Site: url }), [], url);
    for (const url of ['javascript:alert(1)', 'javascript://tea.example/%0aalert(1)', 'data://x', 'my site', '//'])
      assert.deepEqual(codes({ ...whole, Site: url }), ['2 invalid-format'], url);
  });
});

describe('formFaults: the application form of a portal', () => {
  it('requires different labels, requires different choices in choice fields, and refuses choices in other fields', () => {
    assert.deepEqual(formFaults(FORM), new Map());
    const faulty = [
      field('A'),
      field('A'),
      field('B', { type: 'choice' }),
      field('C', { choices: ['x'] }),
      field('D', { type: 'choice', choices: ['x', 'x'] }),
    ];
    assert.deepEqual(
      [...formFaults(faulty)].map(([at, { code }]) => `${at} ${code}`),
      ['1 duplicate', '2 required', '3 not-applicable', '4 duplicate'],
    );
  });

  it('allows at most 4,000 characters in all labels and choices of a form together', () => {
    const choices = Array.from({ length: 20 }, (_, at) => String(at).padStart(199, 'x'));
    const longest = [field('A'.repeat(20), { type: 'choice', choices })];
    assert.deepEqual(formFaults(longest), new Map());
    const faults = [...formFaults([...longest, field('B'), field('C')])];
    assert.deepEqual(
      faults.map(([at, { at: property, code }]) => [at, property, code]),
      [[1, 'label', 'too-long']],
    );
  });
});
