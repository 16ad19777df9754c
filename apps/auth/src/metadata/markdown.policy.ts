import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';

const LIST = /^- /;
const HEADING = /^(#{1,2}) (.+)$/;
/** Matches the code of a request for a public document. */
const DOCUMENT = /^GET (https?:\/\/[^\s/]+\/(?:\.well-known|docs)\/\S*)$/;
const URL_ALONE = /^https?:\/\/\S+$/;

/** `## Get a client` has the id `get-a-client`. */
const idOf = (title: string): string => title.toLowerCase().replaceAll(/\W+/g, '-');

/** A narrow column breaks after these signs, before it breaks within a word. */
const breakable = (text: string): Html =>
  html`${text.split(/(?<=[_:=]|[^:/]\/)(?=\w)/).map((part, index) => html`${index > 0 && html`<wbr />`}${part}`)}`;

function code(text: string): Html {
  const [, url] = DOCUMENT.exec(text) ?? [];
  if (url === undefined) return html`<code>${breakable(text)}</code>`;
  return html`<code>GET <a href="${url}">${breakable(url)}</a></code>`;
}

/** Code, and weight, which may contain code. Everything else is text. */
function inline(text: string): Html {
  const marked = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`') && part.length > 1) return code(part.slice(1, -1));
    if (part.startsWith('**') && part.length > 4) return html`<strong>${inline(part.slice(2, -2))}</strong>`;
    return html`${part}`;
  });
  return html`${marked}`;
}

const paragraph = (text: string): Html =>
  URL_ALONE.test(text) ? html`<p><a href="${text}">${text}</a></p>` : html`<p>${inline(text)}</p>`;

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

function table([head = '', _ruler, ...rows]: readonly string[]): Html {
  return html`<table>
    <tr>
      ${cellsOf(head).map((cell) => html`<th>${inline(cell)}</th>`)}
    </tr>
    ${rows.map(
      (row) =>
        html`<tr>
          ${cellsOf(row).map((cell) => html`<td>${inline(cell)}</td>`)}
        </tr>`,
    )}
  </table>`;
}

function block(text: string): Html {
  const lines = text.trim().split('\n');
  const [first = ''] = lines;
  const [, signs, title = ''] = HEADING.exec(first) ?? [];
  if (signs === '#') return html`<h1>${inline(title)}</h1>`;
  if (signs === '##') return html`<h2 id="${idOf(title)}">${inline(title)}</h2>`;
  if (first.startsWith('|')) return table(lines);
  if (!LIST.test(first)) return paragraph(lines.join(' '));
  return html`<ul>
    ${lines.map((line) => html`<li>${inline(line.replace(LIST, ''))}</li>`)}
  </ul>`;
}

/** The Markdown of the guide as HTML: headings, paragraphs, lists, tables, `code` and **weight**. */
export const markdownHtml = (text: string): Html =>
  html`${text
    .trim()
    .split(/\n{2,}/)
    .map(block)}`;
