/** Markup that may stand in a page as it is: what `html` made, or text of our own that no request can change. */
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

type Part = string | number | Html | undefined | false | readonly (string | Html)[];

/**
 * Template tag of pages: whatever is put in is escaped, unless it is `Html` already. `undefined` and `false` leave nothing.
 * Attributes must stand in quotes. Neither scripts, styles nor URLs are made safe by it: put nothing into those.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + render(parts[index - 1]) + string));
}

function render(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === false) return '';
  if (typeof part === 'object') return part.map(render).join('');
  return String(part).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
