import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { consoleEmail, type EmailBrand, partnerEmail, WHENCE_BRAND } from '#platform/email/email.ts';
import { renderHtml, textColorOn } from '#platform/email/html-email.ts';

const to = 'ada@mugs.example';
const MUGS: EmailBrand = {
  name: 'Ada’s Mugs',
  accent: '#0f766e',
  logoUrl: 'https://whence.example/portal/mugs/logo',
  replyTo: null,
};

describe('the HTML of an email', () => {
  it('shows the logo, the paragraphs, the button in the accent color, the code and the facts', async () => {
    const mail = partnerEmail(
      'Log in',
      'Hello Ada,',
      'follow this link.\nIt works once.',
      { link: 'https://whence.example/portal/mugs/enter#a&b', label: 'Log in' },
      { code: 'K7Q-M2X' },
      { facts: [['Approved', '12']] },
    );
    const html = await renderHtml({ to, ...mail }, MUGS);
    assert.match(html, /<title>Log in<\/title>/);
    assert.match(html, /<img alt="Ada’s Mugs"[^>]* src="https:\/\/whence\.example\/portal\/mugs\/logo"/);
    assert.match(html, />follow this link\.<br \/>It works once\.</);
    assert.match(html, /<a href="https:\/\/whence\.example\/portal\/mugs\/enter#a&amp;b"[^>]*background:#0f766e/);
    assert.match(html, />K7Q-M2X</);
    assert.match(html, /<th class="fact-name" scope="row">Approved<\/th><td class="fact-value">12<\/td>/);
    assert.equal(
      mail.text,
      'Hello Ada,\n\nfollow this link.\nIt works once.\n\nhttps://whence.example/portal/mugs/enter#a&b\n\nK7Q-M2X\n\nApproved: 12\n',
    );
  });

  it('turns web addresses in a written text into links, without the punctuation of the sentence', async () => {
    const mail = partnerEmail('News', 'Hello,', {
      written: 'See (https://mugs.example/a?b=1&c=2).\nOr http://x.example',
    });
    const html = await renderHtml({ to, ...mail }, MUGS);
    assert.match(
      html,
      />See \(<a href="https:\/\/mugs\.example\/a\?b=1&amp;c=2">https:\/\/mugs\.example\/a\?b=1&amp;c=2<\/a>\)\.<br \/>Or <a href="http:\/\/x\.example">/,
    );
    assert.match(mail.text, /^See \(https:\/\/mugs\.example\/a\?b=1&c=2\)\.\nOr http:\/\/x\.example$/m);
  });

  it('shows the brand’s name if the brand has no logo', async () => {
    const html = await renderHtml({ to, ...consoleEmail('Hello', 'Hello,', 'there.') }, WHENCE_BRAND);
    assert.match(html, />Whence</);
    assert.doesNotMatch(html, /<img/);
  });

  it('loads nothing over the network if the brand has no logo', async () => {
    const html = await renderHtml({ to, ...consoleEmail('Hello', 'Hello,', 'there.') }, WHENCE_BRAND);
    assert.doesNotMatch(html, /@import|url\(|<link|src=/);
  });

  it('escapes all input, in texts and in attributes', async () => {
    const plain = tagsOf(await renderHtml(mailWith('x'), brandWith('x')));
    await fc.assert(
      fc.asyncProperty(hostileText, async (text) => {
        const html = await renderHtml(mailWith(`x${text}`), brandWith(`x${text}`));
        assert.deepEqual(tagsOf(html), plain);
      }),
    );
  });

  it('gives a button the text color that has more contrast with the accent color', () => {
    assert.deepEqual(
      ['#000000', '#4f46e5', '#0f766e', '#facc15', '#ffffff'].map((accent) => textColorOn(accent)),
      ['#ffffff', '#ffffff', '#ffffff', '#18181b', '#18181b'],
    );
  });
});

const hostileText = fc.oneof(
  fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onclick='x",
    '</mj-text><mj-raw><b>',
    '<!-- ',
    ']]>',
    '{{name}}',
    '&lt;b&gt;',
    '<mj-include path="/etc/passwd" />',
    '\uFFFE\uFFFF',
    '\u{1FFFF}\uD800',
    '\u0001\u001F\u007F\u0085',
  ),
  fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '-', '!', 'a', '=', ' ', ';', '{', '}') }),
);

function mailWith(text: string) {
  return {
    to,
    ...partnerEmail(
      text,
      text,
      text,
      { link: text, label: text },
      { code: text },
      { facts: [[text, text]] },
      {
        written: text,
      },
      { items: [{ text, link: text }] },
    ),
  };
}

function brandWith(text: string): EmailBrand {
  return { name: text, accent: '#0f766e', logoUrl: text, replyTo: null };
}

/** Returns each tag, comment and attribute of a document, without the values of the attributes. */
function tagsOf(html: string): string[] {
  // A match of an attribute includes its value, so that a value such as ` a=` is not taken for an attribute.
  return [...html.matchAll(/<!--|-->|<\/?[a-z0-9]+|\s([a-z-]+)="[^"]*"/g)].map(([tag, name]) => name ?? tag);
}
