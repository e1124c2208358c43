import { CATALOGUE, decimal, type Product } from './catalogue.ts';
import { type Line, type Order, totalOf } from './orders.ts';

/** The settings that pages need to embed the snippet: the URL of Whence and the publishable key. */
export type Snippet = { readonly whenceUrl: string; readonly publishableKey: string };

/**
 * Renders a page with the snippet. The browser needs no other script, and sends the snippet's cookie with each request.
 */
function page({ whenceUrl, publishableKey }: Snippet, title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} · Corner Shop</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/style.css">
  <script async src="${whenceUrl}/whence.js" data-key="${publishableKey}"></script>
</head>
<body>
  <header><a href="/">Corner Shop</a><nav><a href="/cart">Cart</a><a href="/orders">Orders</a></nav></header>
  <main>
    <h1>${title}</h1>
    ${main}
  </main>
</body>
</html>`;
}

export function shelfPage(snippet: Snippet): string {
  const cards = CATALOGUE.map(
    ({ sku, name, blurb, cents }) =>
      `<li><a href="/products/${sku}"><strong>${name}</strong><span>${blurb}</span><span>${price(cents)}</span></a></li>`,
  );
  return page(snippet, 'Things we like', `<ul class="shelf">${cards.join('\n')}</ul>`);
}

export function productPage(snippet: Snippet, { sku, name, blurb, cents }: Product): string {
  return page(
    snippet,
    name,
    `<p>${blurb}</p>
    <p class="price">${price(cents)}</p>
    <form method="post" action="/cart"><input type="hidden" name="sku" value="${sku}"><button>Add to cart</button></form>`,
  );
}

export function cartPage(snippet: Snippet, lines: readonly Line[]): string {
  if (lines.length === 0) return page(snippet, 'Your cart', '<p>It is empty. <a href="/">Look around</a></p>');
  return page(
    snippet,
    'Your cart',
    `${linesTable(lines)}
    <form method="post" action="/checkout">
      <button>Pay ${price(totalOf({ lines }))}</button>
    </form>`,
  );
}

export function ordersPage(snippet: Snippet, orders: readonly Order[]): string {
  const rows = orders.map(
    (order) =>
      `<tr><td><a href="/orders/${order.number}">Order ${order.number}</a></td><td>${stateOf(order)}</td><td>${price(totalOf(order))}</td></tr>`,
  );
  return page(
    snippet,
    'Orders',
    rows.length === 0 ? '<p>None yet.</p>' : `<table>${rows.toReversed().join('\n')}</table>`,
  );
}

export function orderPage(snippet: Snippet, order: Order, explanation: string | undefined): string {
  const refund = order.refunded
    ? ''
    : `<form method="post" action="/orders/${order.number}/refund"><button class="quiet">Refund</button></form>`;
  return page(
    snippet,
    `Order ${order.number}`,
    `<p class="state">${stateOf(order)}</p>
    ${linesTable(order.lines)}
    ${refund}
    <h2>Commissions</h2>
    <pre>${escapeHtml(explanation ?? whyUnexplained(order))}</pre>`,
  );
}

export function missingPage(snippet: Snippet): string {
  return page(snippet, 'Page not found', '<p>This page does not exist. <a href="/">Back to the shop</a></p>');
}

function whyUnexplained({ reported }: Order): string {
  return reported
    ? 'Whence has not decided this order yet. Reload this page.'
    : 'This order has not been reported to Whence yet. Reload this page.';
}

function linesTable(lines: readonly Line[]): string {
  const rows = lines.map(
    ({ product, quantity }) =>
      `<tr><td>${product.name}</td><td>${quantity} ×</td><td>${price(product.cents * quantity)}</td></tr>`,
  );
  return `<table>${rows.join('\n')}<tr class="total"><td>Total</td><td></td><td>${price(totalOf({ lines }))}</td></tr></table>`;
}

function stateOf({ refunded }: Order): string {
  return refunded ? 'Refunded' : 'Paid';
}

function price(cents: number): string {
  return `$${decimal(cents)}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
