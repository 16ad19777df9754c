import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';

export interface Field {
  /** The name of the value, and the id of the element. */
  readonly name: string;
  readonly label: string | Html;
  readonly type: 'text' | 'email' | 'password' | 'tel' | 'url';
  readonly value?: string;
  readonly autocomplete: string;
  /** Shown below the field. */
  readonly hint?: string;
  /** Shown below the field, which gets the focus. */
  readonly error?: string | undefined;
  /** Gets the focus without an error, too. */
  readonly focus?: boolean;
  /** May stay empty. */
  readonly optional?: boolean;
  /** At the end of the line of the label. */
  readonly beside?: Html;
  /** Further attributes. */
  readonly more?: Html;
}

/** A field with its label above, and its hint and error below. */
export function field({ name, label, type, value, hint, error, focus, optional, ...rest }: Field): Html {
  const { beside, more, autocomplete } = rest;
  const notes = [error !== undefined && `${name}-error`, hint !== undefined && `${name}-hint`].filter(Boolean);
  return html`<div class="top"><label for="${name}">${label}</label>${beside}</div>
    <input
      type="${type}"
      id="${name}"
      name="${name}"
      ${value !== undefined && html`value="${value}"`}
      autocomplete="${autocomplete}"
      ${optional !== true && html`required`}
      ${(focus === true || error !== undefined) && html`autofocus`}
      ${error !== undefined && html`aria-invalid="true"`}
      ${notes.length > 0 && html`aria-describedby="${notes.join(' ')}"`}
      ${more}
    />
    ${error !== undefined && html`<p class="error" role="alert" id="${`${name}-error`}">${error}</p>`}
    ${hint !== undefined && html`<p class="hint" id="${`${name}-hint`}">${hint}</p>`}`;
}

export interface FileField {
  readonly name: string;
  readonly label: string;
  /** Media types, for the browser only. */
  readonly accept: string;
  /** Pixels of each side. The script makes a larger picture this small. */
  readonly side: number;
  readonly hint: string;
  readonly error: string | undefined;
  /** May stay empty. */
  readonly optional?: boolean;
}

/** The choice of a picture. */
export function fileField({ name, label, accept, side, hint, error, optional }: FileField): Html {
  const notes = [error !== undefined && `${name}-error`, `${name}-hint`].filter(Boolean);
  return html`<label class="hidden" for="${name}">${label}</label>
    <input
      type="file"
      id="${name}"
      name="${name}"
      accept="${accept}"
      data-side="${side}"
      ${optional !== true && html`required`}
      ${error !== undefined && html`autofocus aria-invalid="true"`}
      aria-describedby="${notes.join(' ')}"
    />
    ${error !== undefined && html`<p class="error" role="alert" id="${`${name}-error`}">${error}</p>`}
    <p class="hint" id="${`${name}-hint`}">${hint}</p>`;
}

/**
 * The account of a password, for password managers: they skip fields of the type `hidden`. The style hides it. Browsers
 * check no address in it.
 */
export const accountField = (email: string): Html =>
  html`<input type="text" name="username" value="${email}" autocomplete="username" hidden />`;

/** The hidden fields of a form, by name. Undefined values are left out. */
export function hiddenFields(values: Readonly<Record<string, string | undefined>>): Html[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}" />`],
  );
}
