import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { CATALOGUE, productOf } from './catalogue.ts';
import type { Line, Orders } from './orders.ts';
import * as pages from './pages.ts';

export type ShopOptions = { readonly orders: Orders; readonly snippet: pages.Snippet };

/** The data of a visitor's request. */
type Request = {
  readonly path: string;
  readonly form: URLSearchParams;
  readonly cart: Map<string, number>;
  /** The tracking id from the snippet's cookie. Undefined if there is no cookie. */
  readonly trackingId: string | undefined;
};
type Reply = { readonly status: number; readonly html: string } | { readonly location: string };

const MAX_FORM_CHARACTERS = 10_000;

/**
 * Creates the shop's server: product list, product page, cart, checkout, orders and refunds. The server isn't
 * listening yet.
 */
export function createShop({ orders, snippet }: ShopOptions): Server {
  const carts = new Map<string, Map<string, number>>();
  return createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      console.error(error);
      outgoing.writeHead(500).end('The shop failed. See its log.');
    });
  });

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { pathname: path } = new URL(incoming.url ?? '/', 'http://shop');
    if (path === '/style.css') {
      outgoing
        .writeHead(200, { 'content-type': 'text/css' })
        .end(await readFile(new URL('style.css', import.meta.url)));
      return;
    }
    const session = cookieOf(incoming, 'cart') ?? randomUUID();
    const cart = carts.get(session) ?? new Map<string, number>();
    carts.set(session, cart);
    const request = { path, form: await formOf(incoming), cart, trackingId: cookieOf(incoming, 'whence_oid') };
    const reply = incoming.method === 'POST' ? act(request) : await show(request);
    outgoing.setHeader('set-cookie', `cart=${session}; Path=/; HttpOnly; SameSite=Lax`);
    if ('location' in reply) outgoing.writeHead(303, { location: reply.location }).end();
    else outgoing.writeHead(reply.status, { 'content-type': 'text/html; charset=utf-8' }).end(reply.html);
  }

  async function show({ path, cart }: Request): Promise<Reply> {
    const [, folder = '', name] = path.split('/');
    const product = folder === 'products' ? productOf(name ?? '') : undefined;
    if (product !== undefined) return html(pages.productPage(snippet, product));
    if (path === '/') return html(pages.shelfPage(snippet));
    if (path === '/cart') return html(pages.cartPage(snippet, linesOf(cart)));
    if (path === '/orders') return html(pages.ordersPage(snippet, orders.all()));
    const order = folder === 'orders' ? orders.find(Number(name)) : undefined;
    if (order !== undefined) return html(pages.orderPage(snippet, order, await orders.explanation(order)));
    return { status: 404, html: pages.missingPage(snippet) };
  }

  function act({ path, form, cart, trackingId }: Request): Reply {
    if (path === '/cart') {
      const product = productOf(form.get('sku') ?? '');
      if (product !== undefined) cart.set(product.sku, (cart.get(product.sku) ?? 0) + 1);
      return { location: '/cart' };
    }
    if (path === '/checkout' && cart.size > 0) {
      const order = orders.place(linesOf(cart), trackingId);
      cart.clear();
      return { location: `/orders/${order.number}` };
    }
    const [, folder, number, verb] = path.split('/');
    const order = folder === 'orders' && verb === 'refund' ? orders.find(Number(number)) : undefined;
    if (order === undefined) return { location: '/' };
    orders.refund(order);
    return { location: `/orders/${order.number}` };
  }
}

function html(text: string): Reply {
  return { status: 200, html: text };
}

function linesOf(cart: ReadonlyMap<string, number>): Line[] {
  return CATALOGUE.flatMap((product) => {
    const quantity = cart.get(product.sku);
    return quantity === undefined ? [] : [{ product, quantity }];
  });
}

function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  return new RegExp(`(?:^|; )${name}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1];
}

async function formOf(incoming: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of incoming) {
    text += String(chunk);
    if (text.length > MAX_FORM_CHARACTERS)
      throw new RangeError(`The form has more than ${MAX_FORM_CHARACTERS} characters. Send a shorter form.`);
  }
  return new URLSearchParams(text);
}
