/** Markup that may stand in a page as it is. */
export class Html {
  constructor(readonly text: string) {}
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

type Value = string | number | Html | readonly Html[];

/** A tagged template: what is put in is escaped unless it is `Html` already. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((text, part, index) => text + render(values[index - 1] ?? '') + part));
}

function render(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map((one) => one.text).join('');
  return String(value).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** The little Markdown that the document's own sentences use: paragraphs, lists, `code` and **weight**. */
export function markdown(text: string): Html {
  const blocks = text.split('\n\n').map((block) => {
    const lines = block.split('\n');
    if (!lines.every((line) => line.startsWith('- '))) return markup`<p>${inline(block)}</p>`;
    return markup`<ul>${lines.map((line) => markup`<li>${inline(line.slice(2))}</li>`)}</ul>`;
  });
  return markup`${blocks}`;
}

function inline(text: string): Html {
  const marked = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return markup`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith('**')) return markup`<strong>${part.slice(2, -2)}</strong>`;
    return markup`${part}`;
  });
  return markup`${marked}`;
}
