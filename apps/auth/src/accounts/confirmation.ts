import { say } from '@lyceum/messages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';

export interface Confirmation {
  /** The consequence, in one or two sentences. */
  readonly effect: string;
  /** The path that the form is sent to. */
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
  /** The words on the button, which name the action. */
  readonly button: string;
  /** The path of the page before. */
  readonly back: string;
}

/** Asks before an action that cannot be undone. The question is the heading of the page. */
export function confirmation({ effect, action, hidden, button, back }: Confirmation): Html {
  return html`<p>${effect}</p>
    <form method="post" action="${action}">
      ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <div class="actions"><button class="end" type="submit">${button}</button></div>
    </form>
    <p><a href="${back}">${say('form.cancel')}</a></p>`;
}

/** A button that opens the page with the question. */
export function askFirst(path: string, hidden: Readonly<Record<string, string>>, button: string): Html {
  return html`<form method="get" action="${path}">
    ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button class="end" type="submit">${button}</button>
  </form>`;
}
