import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';

/*
 * Runs the examples of docs/reference/frameworks.md in their languages. Stand-ins replace the frameworks and
 * Stripe's libraries. Each example prints the request to Stripe, and the address to which the customer is redirected.
 */

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/reference/frameworks.md'), 'utf8');
const COOKIE = '5214909912345678';
const SESSION_URL = 'https://checkout.stripe.example/pay';
const run = promisify(execFile);

/**
 * The parts needed to run an example: the program, the name of the file, the code before and after the example, and the
 * stand-ins by path. The environment variable COOKIE contains the value of the cookie `whence_oid`.
 */
type Example = {
  readonly program: string;
  readonly file: string;
  readonly before?: string;
  readonly after: string;
  readonly standIns: Readonly<Record<string, string>>;
};

const STRIPE_JS = `export default class Stripe {
  checkout = { sessions: { create: async (order) => {
    console.log(JSON.stringify(order));
    return { url: '${SESSION_URL}' };
  } } };
}`;
const ES_MODULE = '{ "type": "module", "exports": { ".": "./index.js", "./headers": "./headers.js" } }';

const STRIPE_PHP = `
namespace Stripe { class StripeClient {
  public object $checkout;
  function __construct(string $key) {
    $sessions = new class { function create(array $order) {
      echo json_encode($order), "\\n";
      return (object) ['url' => '${SESSION_URL}'];
    } };
    $this->checkout = (object) ['sessions' => $sessions];
  }
} }`;

const EXAMPLES: Readonly<Record<string, Example>> = {
  next: {
    program: process.execPath,
    file: 'route.ts',
    after: `console.log((await POST()).headers.get('location'));`,
    standIns: {
      'node_modules/stripe/package.json': ES_MODULE,
      'node_modules/stripe/index.js': STRIPE_JS,
      'node_modules/next/package.json': ES_MODULE,
      'node_modules/next/headers.js': `const value = process.env.COOKIE;
        export const cookies = async () => new Map(value ? [['whence_oid', { value }]] : []);`,
    },
  },
  express: {
    program: process.execPath,
    file: 'server.mjs',
    after: `await app.handle({ cookies: process.env.COOKIE ? { whence_oid: process.env.COOKIE } : {} },
      { redirect: (status, url) => console.log(status === 303 && url) });`,
    standIns: {
      'node_modules/stripe/package.json': ES_MODULE,
      'node_modules/stripe/index.js': STRIPE_JS,
      'node_modules/cookie-parser/package.json': ES_MODULE,
      'node_modules/cookie-parser/index.js': 'export default () => {};',
      'node_modules/express/package.json': ES_MODULE,
      'node_modules/express/index.js': `export default () => ({
        use() { return this; },
        post(path, handle) { this.handle = handle; },
      });`,
    },
  },
  django: {
    program: 'python3',
    file: 'views.py',
    after: `
class Request:
    COOKIES = {"whence_oid": os.environ["COOKIE"]} if os.environ.get("COOKIE") else {}

print(checkout(Request()))`,
    standIns: {
      'stripe.py': `import json
class checkout:
    class Session:
        url = "${SESSION_URL}"
        @classmethod
        def create(cls, **order):
            print(json.dumps(order), flush=True)
            return cls`,
      'django/__init__.py': '',
      'django/http.py': 'def HttpResponseRedirect(url, status): return url if status == 303 else None',
      'django/views/__init__.py': '',
      'django/views/decorators/__init__.py': '',
      'django/views/decorators/http.py': 'def require_POST(view): return view',
    },
  },
  rails: {
    program: 'ruby',
    file: 'controller.rb',
    before: `require "json"
class String; def presence = empty? ? nil : self; end
class NilClass; def presence = nil; end
module Stripe; module Checkout; class Session
  def self.create(order) = (puts order.to_json; Struct.new(:url).new("${SESSION_URL}"))
end; end; end
class ApplicationController
  def cookies = { whence_oid: ENV["COOKIE"] }
  def redirect_to(url, **) = puts(url)
end
`,
    after: 'CheckoutsController.new.create',
    standIns: {},
  },
  laravel: {
    program: 'php',
    file: 'routes.php',
    before: `<?php ${STRIPE_PHP}
namespace Illuminate\\Http { class Request {
  function cookie(string $name) { return $name === 'whence_oid' ? (getenv('COOKIE') ?: null) : null; }
} }
namespace Illuminate\\Support\\Facades { class Route {
  static $handle;
  static function post(string $path, callable $handle) { self::$handle = $handle; }
} }
namespace {
  function env(string $name) { return 'sk_test'; }
  function redirect() { return new class { function away($url, $status) { return $status === 303 ? $url : null; } }; }
`,
    after: '  echo (Route::$handle)(new Request()), "\\n"; }',
    standIns: {},
  },
  'plain-php': {
    program: 'php',
    file: 'checkout.php',
    before: `<?php
if (getenv('COOKIE')) $_COOKIE['whence_oid'] = getenv('COOKIE');
`,
    after: 'echo $session->url, "\\n";',
    standIns: { 'vendor/autoload.php': `<?php ${STRIPE_PHP}` },
  },
};

describe('docs/reference/frameworks.md', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whence-frameworks-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('has a tested example of each framework', () => {
    const names = [...PAGE.matchAll(/^```\w+ (\S+)$/gm)].map(([, name]) => name);
    assert.deepEqual(new Set(names.filter((name) => name !== 'laravel-cookies')), new Set(Object.keys(EXAMPLES)));
  });

  it('shows how to exclude the cookie whence_oid from Laravel’s encryption', () => {
    assert.match(blockOf('laravel-cookies'), /except: \['whence_oid'\]/);
  });

  for (const [name, { program, file, before: start = '', after: end, standIns }] of Object.entries(EXAMPLES)) {
    const isMissing = spawnSync(program, ['--version']).error !== undefined;
    it(
      `${name}: passes the tracking id from the cookie to Stripe, and no id if there is no cookie`,
      { skip: isMissing && `${program} is not installed` },
      async () => {
        const at = join(folder, name);
        const files = { ...standIns, [file]: `${start}${blockOf(name)}\n${end}\n` };
        for (const [path, text] of Object.entries(files)) {
          await mkdir(dirname(join(at, path)), { recursive: true });
          await writeFile(join(at, path), text);
        }
        for (const [cookie, expected] of [
          [COOKIE, COOKIE],
          ['', undefined],
        ] as const) {
          const env = { PATH: process.env['PATH'], STRIPE_SECRET_KEY: 'sk_test', COOKIE: cookie };
          const { stdout } = await run(program, [join(at, file)], { cwd: at, env });
          const [order = '', sentTo] = stdout.trim().split('\n');
          const { client_reference_id: reference, ...rest } = JSON.parse(order) as Record<string, unknown>;
          assert.equal(reference, expected);
          assert.deepEqual(rest, {
            mode: 'payment',
            line_items: [{ price: 'price_123', quantity: 1 }],
            success_url: 'https://example.com/thanks',
          });
          assert.equal(sentTo, SESSION_URL);
        }
      },
    );
  }
});

function blockOf(name: string): string {
  const [, block] = new RegExp(`^\`\`\`\\w+ ${name}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(PAGE) ?? [];
  assert.ok(block, `a block of ${name}`);
  return block;
}
