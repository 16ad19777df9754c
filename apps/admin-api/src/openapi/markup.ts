import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';

/** The Markdown of the document: paragraphs, lists, `code` and **weight**. */
export function markdown(text: string): Html {
  const blocks = text.split('\n\n').map((block) => {
    const lines = block.split('\n');
    if (!lines.every((line) => line.startsWith('- '))) return html`<p>${inline(block)}</p>`;
    return html`<ul>
      ${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}
    </ul>`;
  });
  return html`${blocks}`;
}

/** Weight may contain code. */
function inline(text: string): Html {
  const marked = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith('**')) return html`<strong>${inline(part.slice(2, -2))}</strong>`;
    return html`${part}`;
  });
  return html`${marked}`;
}
