import { CORNERS, DEFAULT_COLORS, FONT_FAMILIES, TEXT_CONTRAST, themeSchema } from '@lyceum/contracts';
import { say } from '@lyceum/messages';
import { faultSummary, hiddenFields, select, textField } from '@lyceum/pages';
import type { FormFaults, Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { megabytesOf } from '#src/images/image-words.js';
import { FORM_BASE, formBase } from '#src/pages/form-base.js';
import { LOOK, LOOK_PREVIEW, SETTINGS, adminPage } from './admin.page.js';
import { LOGO_LIMITS, LOOK_FORM_BYTES, PICTURES, dataUrl, pictureControls } from './look-pictures.policy.js';
import type { ChosenPictures } from './look-pictures.policy.js';
import { pictureSets, pictureWords } from './look-pictures.section.js';
import { COLOR_FIELDS, LOOK_FIELDS, PICTURE_FIELDS, lookOf, pictureOf } from './look.policy.js';
import type { LookField, LookFields, SettingFault } from './look.policy.js';
import { backToSettings, formAlarm, statusOf } from './setting-form.js';
import type { FormState } from './setting-form.js';

function wordsOf(field: LookField, { code }: SettingFault): string {
  if (code === 'low_contrast') return say('look.low_contrast', { ratio: TEXT_CONTRAST });
  if (COLOR_FIELDS.some((color) => color === field)) return say('look.enter_color');
  return say(PICTURE_FIELDS.some((picture) => picture === field) ? 'look.enter_picture' : 'look.choose');
}

function faultsOf({ faults = [] }: FormState): FormFaults {
  const faultOf = (field: string) => faults.find((one) => one.field === field);
  const fields = LOOK_FIELDS.flatMap((field) => {
    const fault = faultOf(field);
    return fault === undefined ? [] : [[field, [wordsOf(field, fault)]]];
  });
  const files = PICTURES.flatMap((picture) => {
    const { file } = pictureControls(picture);
    const fault = faultOf(file) ?? faultOf(`${picture}_file_id`);
    return fault === undefined ? [] : [[file, [pictureWords(fault)]]];
  });
  return Object.fromEntries([...fields, ...files]) as FormFaults;
}

/** The color as a picture. The policy of pages permits no styles of elements, and a picture needs none. */
function swatch(color: string): Html {
  return html`<svg width="14" height="14" aria-hidden="true">
    <rect x=".5" y=".5" width="13" height="13" rx="3" fill="${color}" stroke="currentColor" />
  </svg>`;
}

/** The chosen color, and the one that takes its place. A value that is no color has no swatch. */
function colorHint(name: (typeof COLOR_FIELDS)[number], value: string): Html {
  const byDefault = html`${swatch(DEFAULT_COLORS[name])} ${say('look.color_hint', { color: DEFAULT_COLORS[name] })}`;
  return themeSchema.shape[name].safeParse(value).success
    ? html`${swatch(value)} ${say('look.chosen_color', { color: value })} · ${byDefault}`
    : byDefault;
}

function controls(fields: LookFields, faults: FormFaults): Html[] {
  const byDefault = { value: '', words: say('look.default') };
  const fonts = FONT_FAMILIES.map((value) => ({ value, words: say(`look.font_${value}`) }));
  const corners = CORNERS.map((value) => ({ value, words: say(`look.corners_${value}`) }));
  const of = (name: LookField) => ({ name, label: say(`look.${name}`), faults: faults[name] });
  return [
    ...COLOR_FIELDS.map((name) => textField({ ...of(name), value: fields[name], hint: colorHint(name, fields[name]) })),
    select({ ...of('font_family'), choices: [byDefault, ...fonts], chosen: fields.font_family }),
    select({ ...of('corners'), choices: [byDefault, ...corners], chosen: fields.corners }),
  ];
}

/** The page has the look of the fields, if they make one. */
function inLookOf(context: AccountContext, fields: LookFields, { logo, favicon }: ChosenPictures): AccountContext {
  const { site } = context;
  const look = lookOf(fields, site.base_url);
  if ('faults' in look) return context;
  const pictures = { ...(logo && { logo_url: dataUrl(logo) }), ...(favicon && { favicon_url: dataUrl(favicon) }) };
  return { ...context, site: { ...site, appearance: { ...site.appearance, ...look, ...pictures } } };
}

export interface LookState extends FormState {
  /** The fields are not saved. */
  readonly isPreview?: boolean;
  readonly chosen?: ChosenPictures;
  /** The form was too long to be read, and the fields are the stored ones. */
  readonly isTooLong?: boolean;
}

function lengthAlarm({ isTooLong }: LookState): Html | undefined {
  if (isTooLong !== true) return undefined;
  const [form, each] = [megabytesOf({ bytes: LOOK_FORM_BYTES }), megabytesOf(LOGO_LIMITS)];
  return html`<p class="alarm" role="alert">${say('look.too_long', { form, each })}</p>`;
}

/** The appearance of the site, which admin-api keeps. The page is its own preview. */
export function lookPage(context: AccountContext, fields: LookFields, state: LookState = {}): Page {
  const faults = faultsOf(state);
  const base = state.base ?? formBase(fields, LOOK_FIELDS);
  const { chosen = {}, isTooLong } = state;
  const { base_url } = context.site;
  const body = html`${formAlarm(state)} ${lengthAlarm(state)} ${faultSummary(faults)}
    ${state.isPreview === true && html`<p class="notice" role="status">${say('look.preview_text')}</p>`}
    <p class="lead">${say('look.lead')}</p>
    <form method="post" action="${LOOK}" enctype="multipart/form-data">
      ${hiddenFields({ csrf: context.csrf, [FORM_BASE]: base })} ${controls(fields, faults)}
      ${pictureSets({ fields, chosen, faults, base_url })}
      <div class="actions">
        <button type="submit" formaction="${LOOK_PREVIEW}">${say('look.preview')}</button>
        <button class="main" type="submit">${say('form.save')}</button>
      </div>
    </form>
    ${backToSettings()}`;
  // The look of the fields does not name it while another field has a fault.
  const ownImage = PICTURE_FIELDS.some((name) => pictureOf(fields[name], base_url)?.startsWith('/') === true);
  const shown = inLookOf(context, fields, chosen);
  const status = isTooLong === true ? 413 : statusOf(state);
  return adminPage(shown, { path: SETTINGS, title: say('look.title'), body, status, ownImage });
}
