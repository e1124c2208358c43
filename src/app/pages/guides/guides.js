// Searches the guides. The index is fetched when the search field gets the focus for the first time.

const MOST_RESULTS = 20;
const input = document.querySelector('#search');
const list = document.querySelector('#results');
const count = document.querySelector('#count');
let loading;

input.addEventListener('focus', load);
input.addEventListener('input', () => void show());
input.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') close();
});

function load() {
  loading ??= fetch(input.dataset.index).then((response) => response.json());
  return loading;
}

function close() {
  list.replaceChildren();
  list.hidden = true;
  count.textContent = '';
}

async function show() {
  const sections = await load();
  const words = input.value.toLowerCase().split(' ').filter(Boolean);
  if (words.length === 0) return close();
  const found = sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  count.textContent =
    found.length === 0 ? 'No results' : `${found.length} ${found.length === 1 ? 'result' : 'results'}`;
  list.replaceChildren(...found.slice(0, MOST_RESULTS).map(({ section }) => resultOf(section, words)));
  list.hidden = found.length === 0;
}

/**
 * Returns the relevance of a section for the searched words, or 0 if the section lacks one of them. Words in the page's
 * title and in the heading weigh more.
 */
function scoreOf({ page, heading, text }, words) {
  const [title, head, body] = [page, heading, text].map((part) => part.toLowerCase());
  if (!words.every((word) => title.includes(word) || head.includes(word) || body.includes(word))) return 0;
  const weights = words.map((word) => 1 + (head.includes(word) ? 10 : 0) + (title.includes(word) ? 5 : 0));
  return weights.reduce((sum, weight) => sum + weight, 0);
}

function resultOf({ url, page, heading, text }, words) {
  const link = document.createElement('a');
  link.href = url;
  link.textContent = heading === page ? page : `${page}: ${heading}`;
  const excerpt = document.createElement('p');
  const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 60);
  excerpt.textContent = (at > 0 ? '…' : '') + text.slice(at, at + 180).trim() + (text.length > at + 180 ? '…' : '');
  const item = document.createElement('li');
  item.append(link, excerpt);
  return item;
}
