import { CORNERS, DEFAULT_COLORS, FONT_FAMILIES, TEXT_CONTRAST } from '@lyceum/contracts';
import { say } from '@lyceum/messages';
import { faultSummary, hiddenFields, select, textField } from '@lyceum/pages';
import type { FormFaults, Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { FORM_BASE, formBase } from '#src/pages/form-base.js';
import { LOOK, SETTINGS, adminPage } from './admin.page.js';
import { COLOR_FIELDS, LOOK_FIELDS, PICTURE_FIELDS, lookOf } from './look.policy.js';
import type { LookField, LookFields, SettingFault } from './look.policy.js';
import { backToSettings, formAlarm, statusOf } from './setting-form.js';
import type { FormState } from './setting-form.js';

export const LOOK_PREVIEW = `${LOOK}/preview`;

function wordsOf(field: LookField, { code }: SettingFault): string {
  if (code === 'low_contrast') return say('look.low_contrast', { ratio: TEXT_CONTRAST });
  if (COLOR_FIELDS.some((color) => color === field)) return say('look.enter_color');
  return say(PICTURE_FIELDS.some((picture) => picture === field) ? 'look.enter_picture' : 'look.choose');
}

function faultsOf({ faults = [] }: FormState): FormFaults {
  const found = LOOK_FIELDS.flatMap((field) => {
    const fault = faults.find((one) => one.field === field);
    return fault === undefined ? [] : [[field, [wordsOf(field, fault)]]];
  });
  return Object.fromEntries(found) as FormFaults;
}

function controls(fields: LookFields, faults: FormFaults): Html[] {
  const byDefault = { value: '', words: say('look.default') };
  const fonts = FONT_FAMILIES.map((value) => ({ value, words: say(`look.font_${value}`) }));
  const corners = CORNERS.map((value) => ({ value, words: say(`look.corners_${value}`) }));
  const of = (name: LookField) => ({ name, label: say(`look.${name}`), faults: faults[name] });
  return [
    ...COLOR_FIELDS.map((name) =>
      textField({ ...of(name), value: fields[name], hint: say('look.color_hint', { color: DEFAULT_COLORS[name] }) }),
    ),
    select({ ...of('font_family'), choices: [byDefault, ...fonts], chosen: fields.font_family }),
    select({ ...of('corners'), choices: [byDefault, ...corners], chosen: fields.corners }),
    ...PICTURE_FIELDS.map((name) => textField({ ...of(name), value: fields[name], hint: say(`look.${name}_hint`) })),
  ];
}

/** The page has the look of the fields, if they make one. */
function inLookOf(context: AccountContext, fields: LookFields): AccountContext {
  const { site } = context;
  const look = lookOf(fields, site.base_url);
  return 'faults' in look ? context : { ...context, site: { ...site, appearance: { ...site.appearance, ...look } } };
}

export interface LookState extends FormState {
  /** The fields are not saved. */
  readonly isPreview?: boolean;
}

/** The appearance of the site, which admin-api keeps. The page is its own preview. */
export function lookPage(context: AccountContext, fields: LookFields, state: LookState = {}): Page {
  const faults = faultsOf(state);
  const base = state.base ?? formBase(fields, LOOK_FIELDS);
  const body = html`${formAlarm(state)} ${faultSummary(faults)}
    ${state.isPreview === true && html`<p class="notice" role="status">${say('look.preview_text')}</p>`}
    <p class="lead">${say('look.lead')}</p>
    <form method="post" action="${LOOK}">
      ${hiddenFields({ csrf: context.csrf, [FORM_BASE]: base })} ${controls(fields, faults)}
      <div class="actions">
        <button type="submit" formaction="${LOOK_PREVIEW}">${say('look.preview')}</button>
        <button class="main" type="submit">${say('form.save')}</button>
      </div>
    </form>
    ${backToSettings()}`;
  const shown = inLookOf(context, fields);
  return adminPage(shown, { path: SETTINGS, title: say('look.title'), body, status: statusOf(state) });
}
