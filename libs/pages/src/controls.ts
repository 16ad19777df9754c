import { say } from '@lyceum/messages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';

/** Faults of the values in a form, by the name of the field. Fields without a fault are absent. */
export type FormFaults = Readonly<Record<string, readonly string[]>>;

/** The attributes of an element whose notes `faultNotes` renders. A faulty one gets the focus. */
function noted(name: string, faults: readonly string[], hint: Control['hint']): Html {
  const ids = [...faults.map((_, index) => `${name}-error-${index}`), ...(hint === undefined ? [] : [`${name}-hint`])];
  return html`${faults.length > 0 && html`aria-invalid="true" autofocus`}
  ${ids.length > 0 && html`aria-describedby="${ids.join(' ')}"`}`;
}

function faultNotes(name: string, faults: readonly string[], hint: Control['hint']): Html {
  return html`${faults.map((text, index) => html`<p class="error" id="${`${name}-error-${index}`}">${text}</p>`)}
  ${hint !== undefined && html`<p class="hint" id="${`${name}-hint`}">${hint}</p>`}`;
}

export interface Control {
  /** The name of the value, and the id of the element. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string | Html;
  readonly faults?: readonly string[] | undefined;
}

export interface TextField extends Control {
  readonly value: string;
  readonly type?: 'text' | 'email' | 'search' | 'date';
  readonly autocomplete?: string;
  readonly required?: boolean;
}

/** A line of text, with all of its faults below it. */
export function textField({ name, label, hint, faults = [], ...input }: TextField): Html {
  const { value, type = 'text', autocomplete = 'off', required = false } = input;
  return html`<label for="${name}">${label}</label>
    <input
      type="${type}"
      id="${name}"
      name="${name}"
      value="${value}"
      autocomplete="${autocomplete}"
      ${required && html`required`}
      ${noted(name, faults, hint)}
    />
    ${faultNotes(name, faults, hint)}`;
}

export interface TextArea extends Control {
  readonly lines: readonly string[];
  readonly rows: number;
}

/** One value a line, with all of its faults below it. */
export function textArea({ name, label, hint, faults = [], lines, rows }: TextArea): Html {
  return html`<label for="${name}">${label}</label>
    <textarea id="${name}" name="${name}" rows="${rows}" ${noted(name, faults, hint)}>${lines.join('\n')}</textarea>
    ${faultNotes(name, faults, hint)}`;
}

export interface Choice {
  readonly value: string;
  readonly words: string | Html;
}

export interface Choices extends Control {
  readonly choices: readonly Choice[];
  readonly chosen: readonly string[];
}

function options(type: 'checkbox' | 'radio', { name, label, hint, faults = [], choices, chosen }: Choices): Html {
  const described =
    faults.length > 0 && html`aria-describedby="${faults.map((_, index) => `${name}-error-${index}`).join(' ')}"`;
  const option = ({ value, words }: Choice, index: number): Html =>
    html`<label class="choice">
      <input
        type="${type}"
        name="${name}"
        value="${value}"
        ${chosen.includes(value) && html`checked`}
        ${index === 0 && faults.length > 0 && html`autofocus`}
      />
      <span>${words}</span>
    </label>`;
  return html`<fieldset ${described}>
    <legend>${label}</legend>
    ${faultNotes(name, faults, hint)} ${choices.map(option)}
  </fieldset>`;
}

/** Any number of values. */
export const checkboxes = (choices: Choices): Html => options('checkbox', choices);

/** One of several values. */
export const radios = (choices: Choices): Html => options('radio', choices);

interface SelectChoice {
  readonly value: string;
  readonly words: string;
  /** The language of the words, if it is not that of the page. */
  readonly lang?: string;
}

export interface Select extends Control {
  readonly choices: readonly SelectChoice[];
  readonly chosen: string;
  /** For a field about the person at the browser. */
  readonly autocomplete?: string;
}

export function select({ name, label, hint, faults = [], choices, chosen, autocomplete }: Select): Html {
  const completed = autocomplete !== undefined && html`autocomplete="${autocomplete}"`;
  const option = ({ value, words, lang }: SelectChoice): Html => {
    const attributes = lang === undefined ? html`value="${value}"` : html`value="${value}" lang="${lang}"`;
    return html`<option ${attributes} ${value === chosen && html`selected`}>${words}</option>`;
  };
  return html`<label for="${name}">${label}</label>
    <select id="${name}" name="${name}" ${completed} ${noted(name, faults, hint)}>
      ${choices.map(option)}
    </select>
    ${faultNotes(name, faults, hint)}`;
}

/** The filters of a list, side by side where they fit. */
export function filterForm(path: string, controls: readonly Html[]): Html {
  return html`<form method="get" action="${path}" role="search">
    <div class="filters">
      ${controls.map((control) => html`<div>${control}</div>`)}
      <button type="submit">${say('list.filter')}</button>
    </div>
  </form>`;
}

/** Stands above a form that was refused. Undefined without a fault. */
export function faultSummary(faults: FormFaults): Html | undefined {
  const fields = Object.keys(faults).length;
  if (fields === 0) return undefined;
  const words = fields === 1 ? say('form.fault') : say('form.faults', { count: fields });
  return html`<p class="alarm" role="alert" id="error">${words}</p>`;
}
